import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { broken } from '../../support/axe.ts'
import { anEvent } from '../../support/events.ts'
import { expect, test } from './test.ts'
import { dialog, enter, grid, openWindow, press, rowAt, tells } from './window.ts'

const field = (page: Page) => dialog(page).getByRole('combobox')

const openPalette = async (page: Page) => {
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
}

/** Drops files where the window checks them. @returns whether the window takes them */
const drop = (page: Page, files: readonly { readonly name: string; readonly text: string }[]) =>
  page.evaluate(async (given) => {
    const dataTransfer = new DataTransfer()
    for (const { name, text } of given) dataTransfer.items.add(new File([text], name))
    const fire = (type: string, on: Element) =>
      on.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }))
    let zone: Element | null = null
    while (!zone) {
      fire('dragenter', document.body)
      await new Promise(requestAnimationFrame)
      zone = document.querySelector('[data-drop="file-check"]')
    }
    const kept = !fire('dragover', zone)
    fire('drop', zone)
    return kept
  }, files)

test('every action is found by a few letters in either language', async ({ page }) => {
  await openWindow(page, { count: 60 })
  await openPalette(page)
  // No delivery is selected yet: an action that needs one says so and does nothing.
  const pin = dialog(page).getByRole('option', { name: /^Pin or unpin/ })
  await expect(pin).toContainText('Select a delivery first')
  await expect(pin).toHaveAttribute('aria-disabled', 'true')
  expect(await broken(page)).toEqual([])
  await page.keyboard.type('zzz')
  await expect(dialog(page)).toContainText('No results')
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)

  // Found by its Spanish name in an English window.
  await page.keyboard.press('j')
  await openPalette(page)
  await page.keyboard.type('retencion')
  await expect(dialog(page).getByRole('option', { selected: true })).toHaveText('Settings: Retention')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#\/settings\/retention$/)
  await expect(dialog(page)).toHaveCount(0)

  // An action of the list from another screen; the most recently used entry comes first.
  await openPalette(page)
  await expect(dialog(page).getByRole('option').first()).toHaveText('Settings: Retention')
  await enter(field(page), 'foc fil')
  await expect(page.locator('[data-filter]')).toBeFocused()
  await openPalette(page)
  await enter(field(page), 'select all matching')
  await expect(grid(page).locator('[aria-selected="true"]').first()).toBeVisible()

  // The list of keys shows it, and it passes the focus to the dialog that it opens.
  await openPalette(page)
  await enter(field(page), 'shortcuts')
  await expect(dialog(page)).toContainText('Find any action by name')
  await expect(dialog(page).getByRole('heading', { name: 'Keyboard shortcuts' })).toBeVisible()
})

test('keys pressed before the code of a note has come are its text', async ({ page, host }) => {
  const late = Promise.withResolvers<void>()
  await page.route(/annotate-layer.*\.js$/, async (route) => {
    await late.promise
    await route.continue()
  })
  await openWindow(page, { count: 5 })
  await rowAt(page, 0).click()
  await page.keyboard.press('m')
  // As keys of the list these would pin, replay and ask for tags.
  await page.keyboard.type('per el')
  await expect(dialog(page)).toHaveCount(0)
  late.resolve()
  await expect(dialog(page).getByRole('textbox')).toHaveValue('per el')
  await page.keyboard.type('o')
  await expect(dialog(page).getByRole('textbox')).toHaveValue('per elo')
  await page.keyboard.press('Escape')
  expect(await host.row(5)).toMatchObject({ marks: [], attempts: 0 })
})

test('keys pressed before the code of the palette has come are those of the palette', async ({ page }) => {
  const late = Promise.withResolvers<void>()
  await page.route(/palette.*\.js$/, async (route) => {
    await late.promise
    await route.continue()
  })
  await openWindow(page, { count: 5 })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('retemm')
  await press(page, 'Backspace', 'Backspace')
  await page.keyboard.type('nci')
  await expect(dialog(page)).toHaveCount(0)
  late.resolve()
  await expect(field(page)).toHaveValue('retenci')
  // Further typing continues from there.
  await page.keyboard.type('on')
  await expect(field(page)).toHaveValue('retencion')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#\/settings\/retention$/)
})

test('a file dropped on the window is judged, and none of it leaves it', async ({ page }) => {
  await openWindow(page, { count: 20 })
  const requests: string[] = []
  page.on('request', (request) => void requests.push(`${request.method()} ${request.postData() ?? ''}`))
  const valid = JSON.stringify(anEvent('factura.created'))
  expect(await drop(page, [{ name: 'good.json', text: valid }])).toBe(true)
  await tells(dialog(page), 'good.json', 'No findings', 'factura.created')
  expect(await broken(page, '[role="dialog"]')).toEqual([])

  // Drop files on the open dialog; the first one counts.
  const broke = `{\n  "Event": "factura.created",\n  "data": { "Number": 7, ] }\n}`
  await drop(page, [
    { name: 'bad.json', text: broke },
    { name: 'other.json', text: valid },
  ])
  await tells(dialog(page), 'bad.json', 'line 3, column 26')
  await expect(dialog(page)).toContainText('Only the first file is checked; 1 other was ignored.')
  expect(requests.filter((line) => /Event|good|bad/.test(line))).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)

  // By keyboard: the palette, then the file chooser.
  await openPalette(page)
  await enter(field(page), 'validate')
  const chooser = page.waitForEvent('filechooser')
  await dialog(page).getByRole('button', { name: 'Choose a file…' }).press('Enter')
  const text = readFileSync(new URL(import.meta.url))
  await (await chooser).setFiles({ name: 'spec.ts', mimeType: 'text/plain', buffer: text })
  await expect(dialog(page)).toContainText('Unreadable')
})

test('copying the address from the palette is shown where the address stands, and said', async ({ page }) => {
  await openWindow(page, { count: 5 })
  await page.evaluate(() => Object.assign(navigator.clipboard, { writeText: async () => {} }))
  await openPalette(page)
  await enter(field(page), 'copy receiver url')
  await expect(page.getByRole('contentinfo').getByRole('status').filter({ hasText: 'Copied' })).toBeAttached()
})

test('it finds what is stored, saved, set and explained, an exact hit first', async ({ page, host }) => {
  await openWindow(page, { count: 60 })
  await host.call('filters.save', { name: 'Late ones', filter: 'is:late' })
  const latest = { query: '', sort: { by: 'last', descending: true }, from: 0, limit: 20 } as const
  const { entries } = await host.call('documents.page', latest)
  const known = entries.find(({ number, party }) => number !== null && party !== null)
  const option = (name: string | RegExp) => dialog(page).getByRole('option', { name })
  const first = dialog(page).getByRole('option').first()
  const type = async (text: string) => {
    await openPalette(page)
    await page.keyboard.insertText(text)
  }
  await type(known?.number ?? '')
  await expect(first).toContainText(known?.party ?? '')
  await expect(dialog(page).getByRole('group', { name: 'Exact match' })).toBeVisible()
  await expect(dialog(page).getByRole('group', { name: 'Deliveries' })).toContainText(known?.number ?? '')
  expect(await broken(page)).toEqual([])
  await press(page, 'Enter')
  await expect(page).toHaveURL(new RegExp(`#/documents/${encodeURIComponent(known?.key ?? '')}`))

  await type('#7')
  await expect(first).toContainText('#7')
  await press(page, 'Enter')
  await expect(page.locator('[data-detail]')).toContainText('#7')
  await type('late ones')
  await option(/Late ones/).click()
  await expect(page.getByRole('button', { name: 'Saved and recent filters: Late ones' })).toBeVisible()
  // Found by its Spanish label in an English window.
  await type('puerto')
  await option(/^Port/).click()
  await expect(page).toHaveURL(/#\/settings\/receiver$/)
  await type('conciliar')
  await option(/Reconcile.*User guide/).click()
  await expect(dialog(page).getByRole('button', { name: 'Reconcile' })).toHaveAttribute('aria-current', /./)
  await press(page, 'Escape')
  // Each keystroke cancels the previous query.
  let asked = 0
  host.api.answer('documents.page', async (_, ask) => {
    asked += 1
    return ask()
  })
  await openPalette(page)
  await page.keyboard.type('zzqqxx', { delay: 10 })
  await expect(dialog(page)).toContainText('No results')
  expect(asked).toBe(1)
  // A failed search is reported, and the other results stay.
  host.api.refuse('documents.page', 'The disk is gone.')
  await field(page).fill('#7')
  await expect(dialog(page).getByRole('alert')).toHaveText(
    /^Documents or deliveries are missing from these results\. .*The disk is gone\./,
  )
  await expect(first).toContainText('#7')
  expect(await broken(page)).toEqual([])
  host.api.pass('documents.page')
})
