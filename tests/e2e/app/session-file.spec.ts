import { once } from 'node:events'
import { mkdtempDisposableSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Locator, Page } from '@playwright/test'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import { runCli, spawnCli } from '../../support/host.ts'
import { type App, expect, filterTo, problemsOf, rows, test } from './app.ts'

test.use({ hostArgs: ['--sandbox', '--sandbox-port', '0'] })

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const RANGE = { from: day(-40), to: day(2) }

/** A month with a loss, a sweep, a job and a note. */
async function live({ host, client }: App): Promise<void> {
  await runCli(['trigger', '--scenario', 'month', '--count', '25', '--data', host.dataDir])
  const { apiKey: _key, pluginToken: _token, ...connection } = DEFAULT_CONNECTION
  const { sandbox = '', apiKey = '' } = host.sandbox ?? {}
  await client.call('connections.save', { ...connection, name: 'main', baseUrl: sandbox, apiKey })
  await client.call('deliveries.annotate', {
    ids: [1],
    note: 'call ana@quintana.example',
    addTags: ['urgent'],
  })
  const range = { route: 'accounting', ...RANGE, documentTypeId: null, pageSize: 50 } as const
  const { id } = await client.call('sweeps.start', { connection: 'main', range })
  await expect.poll(async () => (await client.call('sweeps.get', { id })).state).toBe('complete')
  await runCli(['replay', '--id', '1,2', '--to', 'http://127.0.0.1:9/', '--data', host.dataDir])
  await client.call('deliveries.settled', { timeoutMs: 20_000 })
}

const goTo = (page: Page, screen: string) =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: screen }).click()

test('a session file opens in the window, which only shows', async ({ app, page }) => {
  test.slow()
  await live(app)
  using shared = mkdtempDisposableSync(join(tmpdir(), 'acuse-shared-'))
  const file = join(shared.path, 'monday.acuse')
  // By way of another store, which marks what it took over.
  using other = mkdtempDisposableSync(join(tmpdir(), 'acuse-other-'))
  const first = join(other.path, 'first.acuse')
  await runCli(['export', '--out', first, '--data', app.host.dataDir])
  await runCli(['import', first, '--data', join(other.path, 'data')])
  await runCli(['export', '--out', file, '--data', join(other.path, 'data')])
  const [bytes, { mtimeMs }] = [readFileSync(file), statSync(file)]
  const child = spawnCli(['open', file, '--no-open', '--ui-port', '0', '--json', '--data', app.host.dataDir])
  const [line] = await once(createInterface(child.stdout), 'line')
  const { ui, data } = JSON.parse(line)

  const problems = problemsOf(page)
  await page.goto(ui)
  const banner = page.getByRole('status').filter({ hasText: 'Session file, read-only.' })
  await expect(banner).toContainText('monday.acuse, exported')
  await expect(banner).toContainText('Credentials and personal data are masked.')
  await expect(page.getByRole('contentinfo')).toContainText('Session file, read-only')
  await expect(page.getByRole('contentinfo')).not.toContainText(/today|\/s| of /)
  await expect(rows(page).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Range: Everything' })).toBeVisible()
  for (const name of ['Sandbox', 'Plugins', 'Settings'])
    await expect(page.getByRole('link', { name, exact: true })).toBeHidden()
  for (const name of ['Start', 'Pause space'])
    await expect(page.getByRole('button', { name, exact: true })).toBeHidden()

  await filterTo(page, 'tag:urgent', 1)
  await rows(page).first().click()
  await expect(page.getByText(/call masked-[0-9a-f]{12}/).first()).toBeVisible()
  for (const name of [/^Pin/, /^Replay/, /^Tag$/, /^Note$/, 'Edit note', /^Delete/, /urgent/])
    await expect(page.getByRole('button', { name })).toHaveCount(0)
  await page.keyboard.press('p')
  await rows(page).first().click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: /^Delete/ })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.keyboard.press('i')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const imported = (within: Locator) => within.getByText('imported', { exact: true }).first()
  await goTo(page, 'Documents')
  await expect(page.getByRole('grid', { name: 'Documents' }).getByRole('row').nth(1)).toBeVisible()
  await goTo(page, 'Reconcile')
  await expect(page.getByRole('grid').getByRole('row').nth(1)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start sweep' })).toHaveCount(0)
  await expect(imported(page.getByRole('region', { name: /^Sweep \d/ }))).toBeVisible()
  await page.getByRole('button', { name: 'History' }).click()
  await expect(imported(page.getByRole('dialog'))).toBeVisible()
  await page.keyboard.press('Escape')
  await goTo(page, 'Replays')
  await expect(page.getByText(/Nothing listens at/).first()).toBeVisible()
  await expect(page.getByText('errorWords')).toHaveCount(0)
  await expect(imported(page.getByRole('grid', { name: 'Jobs, newest first' }))).toBeVisible()
  await expect(imported(page.getByRole('region', { name: /^Job \d/ }).getByRole('grid'))).toBeVisible()
  await expect(page.getByRole('button', { name: /^New/ })).toHaveCount(0)
  await goTo(page, 'Drift')
  await expect(page.getByText('The session holds no events to observe')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reset…' })).toHaveCount(0)
  expect(problems).toEqual([])

  child.kill('SIGINT')
  await once(child, 'close')
  await expect(page.getByRole('alert')).toContainText('open the file again')
  await expect(page.getByRole('alert')).not.toContainText('receiving')
  expect(readdirSync(tmpdir())).not.toContain(data.split('/').at(-1))
  expect(readFileSync(file).equals(bytes)).toBe(true)
  expect(statSync(file).mtimeMs).toBe(mtimeMs)
  expect(readdirSync(shared.path)).toEqual(['monday.acuse'])
})
