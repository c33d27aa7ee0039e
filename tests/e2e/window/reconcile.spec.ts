import { readFileSync } from 'node:fs'
import { broken } from '../../support/axe.ts'
import { card, changeSweep, documents, openReconcile, pane, streams } from './reconcile.ts'
import { expect, test } from './test.ts'
import { button, choose, dialog, goTo, openWindow, placeOf, press, shows, tells } from './window.ts'

test('without a connection the screen leads to where one is added', async ({ page }) => {
  await openWindow(page, { count: 3 })
  await press(page, 'g', 'c')
  await expect(page.getByText('Nothing to compare with yet')).toBeVisible()
  await page.getByRole('button', { name: 'Add a connection' }).click()
  await expect(page.getByRole('heading', { name: 'Connections' })).toBeFocused()
})

test('a sweep begins with the range typed, is paused, resumed and done', async ({ page, host }) => {
  const { service, range } = await openReconcile(page, { swept: false })
  await expect(page.getByText('No sweeps yet')).toBeVisible()
  const held = Promise.withResolvers<void>()
  service.turn({ held: held.promise })
  const { from, to } = range
  await page.getByLabel('From', { exact: true }).fill(from)
  await page.getByLabel('To', { exact: true }).fill(to)
  await page.getByLabel('Page size').fill('50')
  await page.getByRole('button', { name: 'Run sweep', exact: true }).click()
  await expect(page).toHaveURL(/#\/reconcile\/sweep-1$/)
  const asked = { route: 'accounting', from, to, documentTypeId: null, pageSize: 50 }
  expect(host.api.sent('sweeps.start')).toEqual([{ connection: 'produccion', range: asked }])
  const sweep = page.getByRole('region', { name: 'Sweep 1' })
  await expect(sweep.getByText('running')).toBeVisible()
  await expect(sweep.getByRole('progressbar')).toBeVisible()
  expect(await broken(page)).toEqual([])
  const refusal = page.getByText('Sweep 1 of "produccion" is running; wait until it ends')
  await page.getByRole('button', { name: 'Run sweep', exact: true }).click()
  await expect(refusal).toBeVisible()
  await sweep.getByRole('button', { name: 'Pause' }).click()
  await expect(sweep.getByText('paused')).toBeVisible()
  await expect(refusal).toHaveCount(0)
  held.resolve()
  await sweep.getByRole('button', { name: 'Resume' }).click()
  await shows(sweep, 'complete', /^\d+ pages$/)
  await expect(documents(page).first()).toBeVisible()
})

test('in Spanish, in 1280 px, range and buttons stand in one line; at 200 % rows and footer can be reached', async ({
  page,
}) => {
  await openReconcile(page, { language: 'es' })
  const [run, history] = [button(page, 'Ejecutar barrido'), button(page, 'Historial')]
  expect((await placeOf(run)).y).toBe((await placeOf(history)).y)
  await page.setViewportSize({ width: 640, height: 400 })
  await documents(page).first().click()
  await expect(pane(page)).toBeVisible()
  await button(page, /^Reconstruir y reenviar/).click()
  await expect(dialog(page)).toBeVisible()
})

test('counts come with shares, days without documents too; cards and text select', async ({ page, host }) => {
  await openReconcile(page)
  const { days } = await host.call('reconciliation.summary', { sweep: 1 })
  const [first, last] = [days[0], days.at(-1)].map((one) => Date.parse(one?.day ?? ''))
  const chart = page.getByRole('slider', { name: 'Documents by day of issue' })
  await expect(chart).toHaveAttribute('aria-valuemax', String((Number(last) - Number(first)) / 86_400_000))
  // The time of day decides what the first day has.
  await expect(chart).toHaveAttribute('aria-valuetext', /: \d+ documents?, \d+ .*, \d+ % not listening$/)
  await expect(card(page, 'missing')).toContainText('%')
  await expect(card(page, 'not subscribed')).not.toHaveText(/^0/)
  expect(await broken(page)).toEqual([])
  const count = async (name: string) => Number((await card(page, name).locator('b').textContent()) ?? 0)
  const missing = await count('missing')
  const differ = await count('differ')
  await card(page, 'missing').click()
  await expect(page.getByText(`${missing} documents`, { exact: true }).first()).toBeVisible()
  await tells(documents(page).first(), 'not captured', 'factura.created missed')
  await card(page, 'differ').click({ modifiers: ['Control'] })
  await expect(page.getByText(`${missing + differ} documents`, { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Show all classes' }).click()
  await page.getByLabel('Find').fill('0000001046')
  await expect(documents(page)).toHaveCount(1)
  // A matched document is not among the differences, and Find says so.
  await page.getByRole('checkbox', { name: 'Only differences' }).click()
  await expect(documents(page)).toHaveCount(0)
  await page.getByRole('button', { name: '1 more in other classes: show' }).press('Enter')
  await expect(documents(page)).toHaveCount(1)
  await page.getByLabel('Find').fill('no such document')
  await expect(page.getByText('No matching documents.')).toBeVisible()
  expect(await broken(page)).toEqual([])
})

test('footer, button and dialog count the same documents', async ({ page, host }) => {
  await openReconcile(page)
  const { counts } = await host.call('reconciliation.summary', { sweep: 1 })
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const shown = (count: number) =>
    expect(page.getByText(`${count} documents`, { exact: true }).first()).toBeVisible()
  await shown(all - counts.matched)
  await page.getByRole('checkbox', { name: 'Only differences' }).click()
  await shown(all)
  const rebuild = page.getByRole('button', { name: /^Rebuild and replay/ })
  const footer = page.locator('footer').filter({ has: rebuild })
  const acts = async (count: number, said: string) => {
    await expect(footer).toContainText(said)
    await expect(rebuild).toHaveText(`Rebuild and replay ${count}…`)
    await rebuild.click()
    await expect(dialog(page).getByText(new RegExp(`of ${count} documents\\.|Nothing can be`))).toBeVisible()
    await page.keyboard.press('Escape')
  }
  await acts(counts.missing + counts.differs, `${counts.differs} differ`)
  await card(page, 'differ').click()
  await acts(counts.differs, `${counts.differs} differ`)
  await expect(footer).not.toContainText('missing')
  await card(page, 'matched').click()
  await expect(rebuild).toBeDisabled()
  await page.getByRole('button', { name: 'Show all classes' }).click()
  await page.getByLabel('Find').fill('E31')
  const { total } = await host.call('reconciliation.rows', {
    ...{ sweep: 1, text: 'E31', from: 0, limit: 1 },
    classes: ['missing', 'differs'],
  })
  await acts(total, `${total} matching documents`)
  const selections = [
    { classes: ['missing', 'differs'] },
    { classes: ['differs'] },
    { classes: ['missing', 'differs'], text: 'E31' },
  ]
  expect(host.api.sent('recovery.rebuild')).toEqual(
    selections.map((select) => ({ sweep: 1, select, dryRun: true })),
  )
})

test('a document opens by keyboard, field by field, with its bytes', async ({ page }) => {
  await openReconcile(page)
  await card(page, 'differ').click()
  await expect(documents(page).first()).toContainText('≠')
  await streams(page).focus()
  await press(page, 'Home', 'Enter')
  await expect(pane(page)).toBeVisible()
  const total = pane(page).getByRole('row', { name: /^Total differs/ })
  await expect(total).toBeVisible()
  const [captured = '', service = ''] = await total.getByRole('cell').allInnerTexts()
  expect(Number(captured)).not.toBe(Number(service))
  // The row of the list shows both totals too.
  const inList = ((await documents(page).first().textContent()) ?? '').replaceAll(',', '')
  for (const amount of [captured, service]) expect(inList).toContain(Number(amount).toFixed(2))
  const fields = pane(page).getByRole('table').getByRole('row')
  const few = await fields.count()
  await pane(page)
    .getByRole('checkbox', { name: /^Only differences \(\d+ other/ })
    .press('Space')
  expect(await fields.count()).toBeGreaterThan(few)
  await streams(page).focus()
  await expect(pane(page).getByText('Values differ from those of the latest')).toBeVisible()
  expect(await broken(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await expect(pane(page).getByText('has a status that no captured event reports')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(pane(page)).toBeFocused()
  await pane(page).getByRole('radio', { name: 'Raw' }).click()
  await expect(pane(page).getByText('Record of accounting-sync, as received')).toBeVisible()
  expect(await broken(page)).toEqual([])
  const body = pane(page).getByText(/"Event"/)
  await expect(body.first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(pane(page)).toHaveCount(0)
  await expect(streams(page)).toBeFocused()
})

test('missed events are previewed, rebuilt, replayed, marked synthetic', async ({ page, host }) => {
  await openReconcile(page)
  await card(page, 'missing').click()
  await page.getByRole('button', { name: /^Rebuild and replay/ }).click()
  await expect(dialog(page).getByText(/events would be rebuilt/)).toBeVisible()
  await expect(dialog(page).getByRole('cell', { name: 'Lines' }).first()).toBeVisible()
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await button(dialog(page), /^Rebuild \d+ events/).click()
  await expect(dialog(page).getByText(/events were rebuilt/)).toBeVisible()
  const asked = host.api.sent('recovery.rebuild')
  expect(asked).toEqual([
    { sweep: 1, select: { classes: ['missing'] }, dryRun: true },
    { sweep: 1, select: { classes: ['missing'] } },
  ])
  await dialog(page).getByRole('button', { name: 'Replay…' }).click()
  await expect(page.getByRole('dialog', { name: /Replay/ })).toBeVisible()
  await button(dialog(page), /^Send \d+/).click()
  // After two dialogs in sequence the focus returns to the button that opened the first.
  const again = page.getByRole('button', { name: /^Rebuild and replay/ })
  await expect(again).toBeFocused()
  // The status appears above the button and does not cover it.
  await expect(page.getByRole('status').filter({ hasText: /^Job \d+/ })).toBeVisible()
  await expect
    .poll(() =>
      again.evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      }),
    )
    .toBe(true)
  // The document counts as recovered, in green, and no longer as missing.
  await expect(card(page, 'missing').locator('b')).toHaveText('0')
  await expect(page.getByText(/documents recovered; none of this class is left/)).toBeVisible()
  expect(await broken(page)).toEqual([])
  await page.getByRole('button', { name: 'Show recovered' }).press('Enter')
  await expect(card(page, 'recovered')).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText('not captured, rebuilt').first()).toBeVisible()
  await documents(page).first().click()
  await expect(pane(page).getByText('synthetic').first()).toBeVisible()
  await expect(pane(page).getByText(/^Recovered/)).toBeVisible()
})

test('documents are ignored with a reason; a note stays with one', async ({ page }) => {
  await openReconcile(page)
  await card(page, 'missing').click()
  await expect(documents(page).first()).toContainText('not captured')
  await streams(page).focus()
  await press(page, 'Home', 'x', 'ArrowDown', 'x')
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Ignore with a reason…' }).click()
  await dialog(page).getByLabel('Reason').fill('cancelled by hand')
  await dialog(page).getByRole('button', { name: 'Ignore', exact: true }).click()
  await expect(documents(page).first()).toContainText('ignored: cancelled by hand')
  await documents(page).first().click()
  await pane(page).getByRole('button', { name: 'Note…' }).click()
  await dialog(page).getByRole('textbox', { name: 'Note' }).fill('asked accounting')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(pane(page).getByText('Note: asked accounting')).toBeVisible()
  await pane(page).getByRole('button', { name: 'Ignored…' }).click()
  await dialog(page).getByRole('button', { name: 'Stop ignoring' }).click()
  await expect(pane(page).getByText(/^Ignored because/)).toHaveCount(0)
})

test('a sweep that is not whole says why, in words, and asks to be resumed', async ({ page, host }) => {
  await openReconcile(page)
  await changeSweep(host, 1, {
    state: 'incomplete',
    problems: [
      {
        ...{ code: 'unseen-types', message: 'In English, for the terminal.' },
        params: { date: '2026-11-04', count: 700, why: 'unstated-types' },
      },
    ],
  })
  await shows(page, 'documents of types never seen may be missing', /2026-11-04: 700 found\./)
  expect(await broken(page)).toEqual([])
  await page.getByRole('button', { name: 'Resume' }).click()
  // The host's refusal is shown.
  await expect(page.getByText('Sweep 1 has ended; start another one.')).toBeVisible()
  expect(host.api.sent('sweeps.resume')).toEqual([{ id: 1 }])
  // Without an answer of the service there is nothing to compare, and no misleading count of zero.
  const refused = { status: 401, route: 'accounting-sync', said: 'no key' }
  await changeSweep(host, 1, {
    ...{ state: 'failed', pages: 0 },
    problems: [{ code: 'unauthorised', message: 'In English.', params: refused }],
  })
  await shows(page, 'Nothing was read from the service', 'It answered 401 to accounting-sync: “no key”.')
  await expect(card(page, 'missing')).toHaveCount(0)
  expect(await broken(page)).toEqual([])
  // A Spanish window shows no English sentence of the host, and reports a retry at once.
  await host.call('settings.update', { appearance: { language: 'es' } })
  await shows(page, 'Respondió 401 a accounting-sync: «no key».')
  const gone = { code: 'connection-refused', host: '127.0.0.1', port: 9, tried: 2, tries: 7 }
  const problems = [{ code: 'unreachable', message: 'In English.', params: gone }] as const
  await changeSweep(host, 1, { state: 'running', pages: 0, problems: [...problems] })
  await shows(page, 'No se puede llegar al servicio.', /\(127\.0\.0\.1:9\) Reintentando, 2 de 7\.$/)
  await expect(page.getByText('In English')).toHaveCount(0)
})

test('sweeps are listed with counts, and removed; limits are said', async ({ page, host }) => {
  await openReconcile(page)
  await page.getByRole('button', { name: 'Limitations' }).click()
  await shows(dialog(page), /leaves no trace/, /12 kinds/)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'History' }).click()
  const { matched, missing, differs } = (await host.call('reconciliation.summary', { sweep: 1 })).counts
  await shows(dialog(page), `${matched} matched`, `${missing} missing`, `${differs} differ`)
  expect(await broken(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Remove sweep 1' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove sweep' }).click()
  await expect(dialog(page).getByText('No sweeps yet.')).toBeVisible()
})

test('a coverage gap becomes the whole days that it touches', async ({ page }) => {
  await openReconcile(page)
  await page.getByLabel('Preset').selectOption('gap')
  // The gap at a slow start of the host may be listed too.
  const gap = dialog(page).getByRole('button', { name: /Acuse was off.* 6 h/ })
  await expect(gap).toBeVisible()
  expect(await broken(page)).toEqual([])
  await gap.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByLabel('Preset')).toHaveValue('gap')
  await expect(page.getByLabel('From', { exact: true })).toHaveValue(/^20\d\d-\d\d-\d\d$/)
  const [from, to] = ['2026-11-05T14:00:00-04:00', '2026-11-06T02:00:00-04:00'].map(Date.parse)
  await goTo(page, `reconcile/gap/${from}-${to}`)
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('2026-11-05')
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2026-11-06')
})

test('captures show by themselves; what was not reached is counted apart', async ({ page, host }) => {
  await openReconcile(page)
  await expect(documents(page).first()).toBeVisible()
  await streams(page).press('End')
  await expect(documents(page).last()).toContainText(/\d/)
  const last = await documents(page).last().getAttribute('data-key')
  await host.arrive(3)
  await expect.poll(async () => host.api.sent('reconciliation.summary').length).toBeGreaterThan(0)
  await expect(page.getByText(/^As of \d\d:\d\d:\d\d$/)).toBeVisible()
  expect(await documents(page).last().getAttribute('data-key')).toBe(last)
  const from = (Date.now() - 9 * 86_400_000) * 1_000
  const unreached = [{ from, to: Date.now() * 1_000 }]
  host.api.alter('reconciliation.summary', { notReached: 12, unreached })
  await changeSweep(host, 1, {
    state: 'incomplete',
    reached: new Date(Date.now() - 9 * 86_400_000).toISOString(),
    problems: [{ code: 'server-error', message: '503, again and again.', params: {} }],
  })
  await expect(page.getByText(/captured documents were not reached/)).toBeVisible()
  await expect(page.getByRole('group', { name: /by class/ }).getByText('not reached')).toBeVisible()
  expect(await broken(page)).toEqual([])
})

test('a report is asked for by keyboard, says what it covers, and is saved', async ({ page, host }) => {
  await openReconcile(page)
  await page.getByRole('button', { name: 'Report…' }).press('Enter')
  await shows(dialog(page), /\d+ documents that are not matched/, 'first letter and their length')
  // The dialog takes the focus a moment after it is drawn.
  await expect(dialog(page)).toBeFocused()
  await press(page, 'Tab', 'Tab')
  await expect(dialog(page).getByRole('radio', { name: 'HTML' })).toBeFocused()
  await choose(page, 'ArrowRight', dialog(page).getByRole('radio', { name: 'CSV' }))
  await expect(dialog(page).getByText('without counts and method')).toBeVisible()
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await dialog(page).getByRole('button', { name: 'Save report' }).focus()
  const [first] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(first.suggestedFilename()).toBe('acuse-produccion-sweep-1.csv')
  await expect(dialog(page).getByText('Report ready: acuse-produccion-sweep-1.csv')).toBeVisible()
  expect(readFileSync(await first.path(), 'utf8')).toMatch(
    /^\uFEFFroute,.*\r?\n.*,E310000001000,missing,.*,F… \(18 characters\),/,
  )

  await dialog(page).getByRole('radio', { name: 'Markdown' }).click()
  await dialog(page).getByRole('radio', { name: 'Español' }).click()
  await dialog(page).getByRole('checkbox', { name: 'Mask personal data' }).click()
  await expect(dialog(page).getByText('Anyone who gets the file')).toBeVisible()
  const [second] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).getByRole('button', { name: 'Save report' }).click(),
  ])
  expect(second.suggestedFilename()).toBe('acuse-produccion-barrido-1.md')
  expect(host.api.sent('reconciliation.report')).toEqual([
    { sweep: 1, format: 'csv', language: 'en', unmask: false },
    { sweep: 1, format: 'markdown', language: 'es', unmask: true },
  ])
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Report…' })).toBeFocused()
})
