import type { Result } from '#contract/commands.ts'
import { broken } from '../../support/axe.ts'
import { takenPort } from '../../support/listening-port.ts'
import { cold, expect, test } from './test.ts'
import { copied, goTo, grid, openWindow, press, rowAt, shows } from './window.ts'

type Incident = Result<'status.get'>['store']['incidents'][number]

test('before the first delivery URL, curl line and checklist say what to do', async ({ page, host }) => {
  await openWindow(page, { count: 0 })
  await expect(page.getByText('Waiting for the first delivery')).toBeVisible()
  expect(await broken(page)).toEqual([])
  await page.getByRole('main').getByRole('button', { name: 'Copy the URL' }).click()
  await expect.poll(() => copied(page)).toBe(host.receiverUrl)
  await page.getByRole('button', { name: 'Copy the command' }).click()
  await expect.poll(() => copied(page)).toContain(`curl -sS -X POST '${host.receiverUrl}'`)
  await host.arrive(1)
  await expect(rowAt(page, 0)).toBeVisible()
})

test('a taken port is named, and the next free one is one press away', async ({ page, host }) => {
  await openWindow(page, { count: 10 })
  using taken = await takenPort()
  await host.call('receiver.start', { port: taken.port })
  await expect(page.getByRole('alert')).toContainText(`Another program uses port ${taken.port} on 127.0.0.1`)
  const use = page.getByRole('button', { name: /^Use port \d+$/ })
  const next = /\d+/.exec((await use.textContent()) ?? '')?.[0]
  await use.click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByRole('contentinfo')).toContainText(`http://127.0.0.1:${next}/`)
})

const FOLLOWING = [
  [
    'en',
    'Following the shared log',
    'Following a shared log',
    'cannot be followed now.',
    'Not following the shared log',
  ],
  [
    'es',
    'Sigue el registro compartido',
    'Siguiendo un registro compartido',
    'Ahora no se puede seguir el registro compartido',
    'Sin seguir el registro compartido',
  ],
] as const
for (const [language, follows, briefly, lost, lostBriefly] of FOLLOWING)
  test(`a followed shared log is named, also while it is out of reach, in ${language}`, async ({
    page,
    host,
  }) => {
    const log = 'postgres://ana@db.example:5432/acuse'
    const reason = 'The shared log cannot be reached: db.example:5432: connect ECONNREFUSED 127.0.0.1:5432.'
    const receiver = { state: 'off' } as const
    const forward = {
      kind: 'forward',
      name: 'staging',
      destination: 'http://127.0.0.1',
      holder: 'eva',
      uncertain: 0,
    } as const
    const work = { work: [forward], workReason: null }
    const bar = page.getByRole('contentinfo')
    await openWindow(page, { count: 3, language })
    await host.status({ receiver, following: { log, reason: null, ...work } })
    const banner = page.getByRole('status').filter({ hasText: log })
    await expect(banner).toContainText(follows)
    await expect(banner).toContainText(language === 'es' ? 'staging en eva' : 'staging on eva')
    await expect(bar).toContainText(briefly)
    await expect(bar.getByRole('button', { name: /^(Start|Iniciar)$/ })).toHaveCount(0)
    expect(await broken(page)).toEqual([])
    await host.status({ receiver, following: { log, reason, ...work } })
    const alert = page.getByRole('alert').filter({ hasText: log })
    await expect(alert).toContainText(lost)
    await expect(alert).toContainText(language === 'es' ? 'rechaza la conexión.' : /127\.0\.0\.1:5432\.$/)
    await expect(bar).toContainText(lostBriefly)
    await expect(banner).toHaveCount(0)
    expect(await broken(page)).toEqual([])
    await host.status({ receiver, following: { log, reason: null, ...work } })
    await expect(alert).toHaveCount(0)
    await expect(banner).toBeVisible()
  })

cold(
  'a lost connection is tried again, also one that fell silent, and everything is read again',
  async ({ page, host }) => {
    await page.clock.install()
    await openWindow(page, { count: 10 })
    await expect(rowAt(page, 9)).toBeVisible()
    // From here on only the button tries again.
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    host.api.disconnect()
    await expect(page.getByRole('alert')).toContainText('Reconnecting in')
    await host.arrive(4)
    host.api.reconnect()
    await page.getByRole('button', { name: 'Reconnect now' }).click()
    await page.clock.resume()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(rowAt(page, 13)).toBeVisible()

    host.api.losesPushes = true
    await host.arrive(4)
    await page.clock.fastForward(66_000)
    await expect(page.getByRole('alert')).toContainText('Reconnecting in')
    host.api.losesPushes = false
    await expect(rowAt(page, 17)).toBeVisible()
  },
)

for (const [key, code, fate] of [
  ['e', 'export-dialog', 'never comes'],
  ['e', 'export-dialog', 'is refused'],
  ['?', 'keyboard-help', 'is refused'],
] as const)
  cold(`keys go on when the code of a dialog ${fate}: ${key}`, async ({ page }) => {
    await page.clock.install()
    await openWindow(page, { count: 10 })
    await page.route(`**/assets/${code}-*.js`, (asked) =>
      fate === 'is refused' ? asked.abort() : new Promise(() => {}),
    )
    await press(page, key, 'j')
    if (fate === 'never comes') await page.clock.fastForward(16_000)
    await expect(page.getByRole('alert')).toContainText('could not be loaded')
    await page.keyboard.press('j')
    await expect(grid(page)).toHaveAttribute('aria-activedescendant', /delivery-/)
    await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })

cold('a screen whose code is late says that it loads', async ({ page }) => {
  await openWindow(page, { count: 1 })
  await page.route('**/assets/drift-screen-*.js', () => new Promise(() => {}))
  await goTo(page, 'drift')
  const loading = page.getByRole('main').getByRole('status', { name: 'Loading…' })
  await expect(loading.locator('..')).toHaveCSS('opacity', '1', { timeout: 1_000 })
})

cold('a fault of the whole window is said, with a way to reload it', async ({ page, host }) => {
  await openWindow(page, { count: 1 })
  host.api.alter('status.get', { counts: null as never })
  await page.reload()
  await shows(page, /^Internal error/)
  host.api.reset()
  await page.getByRole('button', { name: 'Reload the window' }).click()
  await expect(rowAt(page, 0)).toBeVisible()
})

test('a failing store is said, and a damaged one is brought back on demand', async ({ page, host }) => {
  await openWindow(page, { count: 10 })
  const { store } = await host.call('status.get', {})
  const incident: Incident = {
    ...{ at: 1_700_000_000_000, kind: 'damaged', reason: 'malformed', salvage: 'offered', recovered: 0 },
    ...{ setAside: ['/data/old.db', '/data/old.db-wal'], fresh: '/data/new.db' },
  }
  const journal = { kind: 'journal', path: '/data/spill-1.journal', reason: 'Permission denied' } as const
  const altered = { kind: 'altered', ids: [3, 8] } as const
  const logProblems = [journal, { kind: 'damaged', from: 7, to: 9 } as const, altered]
  const reason = 'no space left on device'
  const refusing = { ...store, logProblems, state: 'refusing', reason } as const
  await host.status({ store: { ...refusing, incidents: [incident] } })
  host.api.answer('store.salvage', async () => {
    const brought: Incident = { ...incident, salvage: 'done', recovered: 1_204 }
    await host.status({ store: { ...refusing, incidents: [brought] } })
    return { recovered: 1_204 }
  })
  await expect(page.getByRole('alert').first()).toContainText(/no space left on device.*then run a sweep/)
  await shows(page, 'Records 7 to 9', 'these deliveries: 3 and 8.', '/data/old.db-wal', '/data/new.db')
  const unread = page.getByRole('status').filter({ hasText: 'Permission denied' })
  await expect(unread).toContainText('/data/spill-1.journal')
  expect(await broken(page)).toEqual([])
  await page.getByRole('button', { name: 'Recover readable data' }).click()
  await expect(page.getByText('1,204 deliveries recovered.')).toBeVisible()
})

test('a list that cannot be read says why and can be tried again', { tag: '@long' }, async ({
  page,
  host,
}) => {
  await openWindow(page, { count: 10 })
  host.api.refuse('deliveries.page', 'the database is locked')
  host.api.push('store.reset', { reason: 'replaced' })
  await expect(page.getByRole('alert')).toContainText('the database is locked')
  host.api.reset()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  for (const [place, command] of [
    ['documents', 'documents.page'],
    ['reconcile', 'sweeps.list'],
    ['replays', 'jobs.list'],
    ['drift', 'drift.list'],
  ] as const) {
    host.api.refuse(command, 'the database is locked')
    await goTo(page, place)
    const said = page.getByRole('alert').filter({ hasText: 'the database is locked' })
    await expect(said).toBeVisible()
    expect(await broken(page)).toEqual([])
    expect((await said.boundingBox())?.height).toBeLessThan(50)
    host.api.reset()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(said).toHaveCount(0)
  }
})

test('the window speaks Spanish throughout, with the language in its document', async ({ page }) => {
  await openWindow(page, { count: 30, language: 'es' })
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  await expect(page.getByRole('heading', { name: 'Entregas' })).toBeVisible()
  await expect(rowAt(page, 0)).toContainText(/válida|con notas|con avisos|inválida|ilegible/)
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('heading', { name: 'Stream' })).toBeVisible()
})

test('the theme goes round system, light and dark', async ({ page }) => {
  await openWindow(page, { count: 3, theme: 'light' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await page.getByRole('button', { name: 'Theme: light' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('an empty session file: no screen promises content that cannot come', async ({ page, host }) => {
  await openWindow(page)
  const session = {
    file: '/home/ana/monday.acuse',
    createdAt: 1_763_700_000_000,
    version: '0.1.0',
    masked: [],
  }
  host.api.alter('app.info', { session })
  await page.reload()
  for (const [place, title] of [
    ['stream', 'The session holds no deliveries'],
    ['documents', 'The session holds no documents'],
    ['reconcile', 'The session holds no sweeps'],
    ['replays', 'The session holds no replay jobs'],
    ['drift', 'The session holds no events to observe'],
  ] as const) {
    await goTo(page, place)
    await expect(page.getByText(title)).toBeVisible()
    await expect(page.locator('main')).not.toContainText(/\byet\b|Waiting/)
  }
})
