import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { broken } from '../../support/axe.ts'
import { anEvent } from '../../support/events.ts'
import { expect, test } from './test.ts'
import { button, dialog, filterField, openWindow, press, rowAt, rowCount, shows, tells } from './window.ts'

const folder = mkdtempSync(join(tmpdir(), 'acuse-import-'))
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

function written(name: string, text: string): string {
  const path = join(folder, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  return path
}
const body = (number: string) => JSON.stringify(anEvent('factura.created', { data: { Number: number } }))
const entry = (number: string, startedDateTime: unknown = '2026-11-20T10:00:00.000Z') => ({
  startedDateTime,
  request: {
    method: 'POST',
    url: 'https://example.com/hooks',
    httpVersion: 'HTTP/1.1',
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    postData: { mimeType: 'application/json', text: body(number) },
  },
})
const har = (...entries: readonly object[]) => JSON.stringify({ log: { version: '1.2', entries } })

/** Drags files and folders of the disk onto the window, as a file manager does. @returns drops them */
async function drag(page: Page, files: readonly string[], x = 300, y = 400) {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [...files], dragOperationsMask: 1 }
  const fire = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x, y, data })
  await fire('dragEnter')
  // A user moves until the window shows where.
  await expect(async () => {
    await fire('dragOver')
    await expect(page.locator('[data-drop]').first()).toBeVisible({ timeout: 300 })
  }).toPass()
  return async () => {
    await fire('drop')
    await session.detach()
  }
}

test('imports a HAR by keyboard, names its bad record, and shows what it took in', async ({ page }) => {
  await openWindow(page, { count: 5 })
  const path = written(
    'recording.har',
    har(entry('E310000000901'), entry('E310000000902'), entry('x', 'noon')),
  )
  await press(page, 'i')
  await shows(dialog(page), 'or drop files and folders here')
  await expect(button(dialog(page), 'Import')).toBeDisabled()
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  const chooser = page.waitForEvent('filechooser')
  await button(dialog(page), 'Choose files…').press('Enter')
  await (await chooser).setFiles(path)
  await shows(dialog(page), /^1 file, /, 'recording.har')
  await expect(button(dialog(page), 'Import')).toBeFocused()
  await press(page, 'Enter')
  await expect(button(dialog(page), 'Show them')).toBeFocused()
  await tells(dialog(page).getByRole('status'), 'imported2', 'known already0', 'bad records1')
  await expect(
    dialog(page).getByRole('row', { name: /recording\.har entry 3 startedDateTime: give a time/ }),
  ).toBeVisible()
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await press(page, 'Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expect(filterField(page)).toHaveValue('is:imported id:6..7')
  await expect.poll(() => rowCount(page)).toBe(2)
  await expect(rowAt(page, 0)).toContainText('E31000000090')

  // The same file once more.
  await page.keyboard.press('i')
  const again = page.waitForEvent('filechooser')
  await button(dialog(page), 'Choose files…').click()
  await (await again).setFiles(path)
  await button(dialog(page), 'Import').click()
  await shows(dialog(page), 'Nothing is new: Acuse has these deliveries already.')
  await expect(button(dialog(page), 'Show them')).toHaveCount(0)
})

test('imports files and folders dropped on the window, and shows where before', async ({ page }) => {
  await openWindow(page, { count: 5 })
  const paths = [written('one.json', body('E310000000911')), join(folder, 'payloads')]
  for (const [name, number] of [
    ['a.json', '912'],
    ['deep/b.json', '913'],
    ['.hidden', '914'],
  ] as const)
    written(`payloads/${name}`, body(`E310000000${number}`))
  const drop = await drag(page, paths)
  await shows(page, 'Sessions, HAR, NDJSON, raw requests, JSON bodies, folders')
  // A check takes one file.
  await expect(page.getByText('Only check')).toHaveCount(0)
  expect(await broken(page)).toEqual([])
  await drop()
  await shows(dialog(page), /^3 files, /, 'one.json', 'payloads/a.json', 'payloads/deep/b.json')
  await expect(button(dialog(page), 'Import')).toBeFocused()
  await page.keyboard.press('Enter')
  await tells(dialog(page).getByRole('status'), 'imported3')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect.poll(() => rowCount(page)).toBe(8)

  const check = await drag(page, paths.slice(0, 1), 1_150)
  await shows(page, 'Only check')
  await check()
  await tells(dialog(page), 'one.json', 'factura.created')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  expect(await rowCount(page)).toBe(8)
})

test('a cancelled import keeps what it took in, and says so; a refused one says why', async ({
  page,
  host,
}) => {
  await openWindow(page, { count: 5 })
  const path = written('long.har', har(...Array.from({ length: 30 }, (_, n) => entry(`E3100000${1000 + n}`))))
  host.api.alter('import.get', { state: 'reading' })
  await (await drag(page, [path]))()
  await expect(button(dialog(page), 'Import')).toBeFocused()
  await page.keyboard.press('Enter')
  await tells(dialog(page), 'long.har', /Reading: 30 deliveries so far/, 'If you cancel')
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await button(dialog(page), 'Cancel').click()
  await shows(dialog(page), 'Cancelled before the end. What was imported stays.')
  await tells(dialog(page).getByRole('status').first(), 'imported30')

  await button(dialog(page), 'Import more').click()
  host.api.refuse('import.open', 'The disk is full.')
  await (await drag(page, [path]))()
  await expect(button(dialog(page), 'Import')).toBeFocused()
  await page.keyboard.press('Enter')
  await tells(dialog(page), 'imported0', 'The disk is full.')
})
