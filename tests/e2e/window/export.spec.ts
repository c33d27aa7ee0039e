import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import { broken } from '../../support/axe.ts'
import { anEvent } from '../../support/events.ts'
import { openReconcile } from './reconcile.ts'
import { openWithTargets } from './replays.ts'
import { expect, test } from './test.ts'
import { button, click, dialog, filterField, goTo, openWindow, press, rowAt, shows, tells } from './window.ts'

/** As in browsers that have only downloads. */
const withoutPicker = (page: Page) =>
  page.evaluate(() => Object.assign(window, { showSaveFilePicker: undefined }))

/** Presses Export, and reads the file. */
async function exported(page: Page): Promise<{ readonly name: string; readonly text: string }> {
  await withoutPicker(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(dialog(page), 'Export').click(),
  ])
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
}

const linesOf = (text: string) => text.trimEnd().split('\n')

test('exports what the filter shows from the toolbar, by keyboard, with the values that it announced masked', async ({
  page,
  host,
}) => {
  await openWindow(page, { count: 12 })
  const event = anEvent('factura.created')
  await host.deliver(JSON.stringify({ ...event, Remark: 'write to ana@example.com' }), {
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer sesame-4711' },
  })
  await host.settled()
  await filterField(page).fill('body:ana@example.com')
  await page.keyboard.press('Enter')
  await expect(rowAt(page, 0)).toBeVisible()
  await expect(rowAt(page, 1)).toHaveCount(0)
  await expect(filterField(page)).not.toBeFocused()

  await page.keyboard.press('e')
  await shows(dialog(page), '1 delivery')
  await expect(dialog(page).getByRole('radio', { name: 'Matching the filter' })).toBeChecked()
  await expect(dialog(page).getByRole('radio', { name: /^NDJSON/ })).toBeFocused()
  await expect(dialog(page).getByRole('row', { name: /Header Authorization credential 1/ })).toBeVisible()
  await expect(dialog(page).getByRole('row', { name: /E-mail in a text personal/ })).toBeVisible()
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await withoutPicker(page)
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(download.suggestedFilename()).toMatch(/^acuse-[\d-]+\.ndjson$/)
  const [line = '', ...others] = linesOf(readFileSync(await download.path(), 'utf8'))
  expect(others).toEqual([])
  expect(JSON.parse(line)).toMatchObject({ kind: 'factura.created' })
  expect(line).not.toMatch(/sesame-4711|ana@example\.com/)
  await shows(dialog(page), '1 delivery written', /acuse-[\d-]+\.ndjson/)
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await press(page, 'Escape')
  await expect(dialog(page)).toHaveCount(0)
})

test('exports a selection from the context menu as a table of the selected columns', async ({ page }) => {
  await openWindow(page, { count: 12 })
  await rowAt(page, 0).click()
  await rowAt(page, 2).click({ modifiers: ['Shift'] })
  await rowAt(page, 1).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Export…' }).click()
  await expect(dialog(page).getByRole('radio', { name: '3 selected' })).toBeChecked()
  await dialog(page).getByText('CSV', { exact: true }).click()
  await click(dialog(page), 'Clear')
  await shows(dialog(page), 'Select a column.')
  await expect(button(dialog(page), 'Export')).toBeDisabled()
  for (const column of ['id', 'kind'])
    await dialog(page).getByRole('checkbox', { name: column, exact: true }).click()
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  const { name, text } = await exported(page)
  expect(name).toMatch(/\.csv$/)
  expect(linesOf(text).map((line) => line.trim().split(',')[0]?.replace(/\D/g, ''))).toEqual([
    '',
    '10',
    '11',
    '12',
  ])

  await page.keyboard.press('Escape')
  await press(page, 'Escape', 'Escape')
  await rowAt(page, 4).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Export…' }).click()
  await expect(dialog(page).getByRole('radio', { name: 'Delivery #8' })).toBeChecked()
  await dialog(page).getByText('cURL').click()
  await dialog(page).getByLabel('Send to').fill('localhost')
  await shows(dialog(page), /Enter an address without a path/)
  await dialog(page).getByLabel('Send to').fill('http://localhost:3000')
  expect((await exported(page)).text).toContain("'http://localhost:3000/")
})

test('warns before it writes what is otherwise masked', async ({ page, host }) => {
  await openWindow(page, { count: 3 })
  await host.deliver(JSON.stringify(anEvent('factura.created')), {
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer sesame-4711' },
  })
  await host.settled()
  await page.getByRole('button', { name: 'Export…' }).click()
  await dialog(page).getByRole('switch', { name: 'Mask personal data' }).click()
  await shows(dialog(page), /data of real people\. Check/)
  await expect(dialog(page).getByRole('row', { name: /Header Authorization/ })).toBeVisible()
  await expect(dialog(page).getByRole('row', { name: /personal/ })).toHaveCount(0)
  await dialog(page).getByRole('switch', { name: 'Mask credentials' }).click()
  await shows(dialog(page), /working credentials and data of real people/)
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  const { text } = await exported(page)
  expect(text).toContain('sesame-4711')
  await shows(dialog(page), 'This file is not fully masked.')
})

test('a cancelled or failed export leaves no file, and what was selected stays', async ({ page, host }) => {
  await openWindow(page, { count: 40 })
  await page.evaluate(() => {
    // A real file of the browser in place of the one that its dialog makes.
    const folder = navigator.storage.getDirectory()
    window.showSaveFilePicker = async ({ suggestedName }) =>
      (await folder).getFileHandle(suggestedName, { create: true })
  })
  const files = () =>
    page.evaluate(async () => {
      const folder = await navigator.storage.getDirectory()
      const found: [string, string][] = []
      for await (const [name, handle] of folder.entries())
        found.push([name, await (await (handle as FileSystemFileHandle).getFile()).text()])
      return found
    })
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  let reads = 0
  host.api.answer('export.read', async (_, ask) => {
    reads += 1
    if (reads > 1) await held
    return ask()
  })
  await page.getByRole('button', { name: 'Export…' }).click()
  await dialog(page).getByText('HAR', { exact: true }).click()
  await button(dialog(page), 'Export').click()
  await expect(dialog(page).getByRole('progressbar')).toBeVisible()
  await tells(dialog(page), /Writing/)
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await button(dialog(page), 'Cancel').click()
  await shows(dialog(page), 'Cancelled. There is no file.')
  release()
  expect(await files()).toEqual([])
  await expect(dialog(page).getByRole('radio', { name: /^HAR/ })).toBeChecked()

  host.api.refuse('export.read', 'The disk fails.')
  await button(dialog(page), 'Export').click()
  await expect(dialog(page).getByRole('alert')).toContainText('The disk fails.')
  expect(await files()).toEqual([])

  host.api.answer('export.read', (_, ask) => ask())
  await button(dialog(page), 'Export').click()
  await shows(dialog(page), '40 deliveries written')
  const [[name, text] = ['', '']] = await files()
  expect(name).toMatch(/\.har$/)
  expect(JSON.parse(text).log.entries).toHaveLength(40)
})

test('exports a document’s life and what a sweep returned, from their screens', async ({ page }) => {
  const exportsFrom = async (open: () => Promise<unknown>, title: RegExp) => {
    await open()
    await shows(dialog(page), title, /^\d+ deliver(y|ies)$/)
    const count = Number.parseInt(
      (await dialog(page)
        .getByText(/^\d+ deliver/)
        .textContent()) ?? '',
      10,
    )
    expect(linesOf((await exported(page)).text)).toHaveLength(count)
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
  }
  await openReconcile(page)
  await exportsFrom(() => button(page, 'Export…').click(), /of the documents that sweep #\d+ returned/)
  await goTo(page, 'documents')
  const row = page.getByRole('grid').getByRole('row').nth(1)
  await row.click({ button: 'right' })
  await exportsFrom(
    () => page.getByRole('menuitem', { name: 'Export…' }).click(),
    /^All deliveries of document /,
  )
  await row.click()
  await exportsFrom(() => button(page, 'Export…').click(), /^All deliveries of document /)
})

test('exports what a replay job sent', async ({ page, host }) => {
  await openWithTargets(page, { count: 20 })
  const job = await host.call('jobs.start', {
    source: { type: 'ids', ids: [3, 5, 7] },
    options: { ...DEFAULT_JOB_OPTIONS, to: { target: 'app' }, include: ['rejected', 'replay'] },
  })
  await expect.poll(async () => (await host.call('jobs.get', { id: job.id })).state).toBe('done')
  await goTo(page, 'replays')
  await button(page, 'Export…').click()
  await shows(dialog(page), 'The deliveries that job #1 sent', /^3 deliveries$/)
  const ids = linesOf((await exported(page)).text).map((line) => JSON.parse(line).id)
  expect(ids).toEqual([3, 5, 7])
})
