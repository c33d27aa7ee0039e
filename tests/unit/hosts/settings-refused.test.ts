import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { DEFAULT_ENDPOINT, DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { Settings } from '#contract/settings.ts'
import { openSecrets } from '#hosts/secrets-file.ts'
import { assembled } from '../../support/assembled.ts'
import { connection, endpoint, opened, schedule, target } from '../../support/settings-content.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const { receiver, retention } = DEFAULT_SETTINGS
const [a, c] = [target('a'), connection('a')]
const filter = { name: 'b', filter: 'x' }
const timeouts = { connectMs: 0, answerMs: 1, totalMs: 1 }
const OWN = { ['__proto__']: { keepReceiving: true }, keepReceiving: false }
const TLS = { certificate: 'a.pem', key: 'b.pem' }
const mars = connection('b', { zone: 'Mars' })

/** Content of a file, the settings in use, and the paths in the warnings. */
const REFUSED: readonly (readonly [content: object, kept: Partial<Settings>, places: readonly string[]])[] = [
  [
    { endpoints: [DEFAULT_ENDPOINT, endpoint('orders', { path: 'orders' }), endpoint('erp')] },
    { endpoints: [DEFAULT_ENDPOINT, endpoint('erp')] },
    ['endpoints.1.path'],
  ],
  [{ targets: [a, target('b', { timeouts })] }, { targets: [a] }, ['targets.1.timeouts.connectMs']],
  [
    { connections: [c, mars], schedules: [schedule('b'), schedule('a')] },
    { connections: [c], schedules: [schedule('a')] },
    ['connections.1.zone', 'schedules.0.connection'],
  ],
  [
    { connections: [c], schedules: [schedule('a', { lookBackDays: 9_999 })] },
    { connections: [c] },
    ['schedules.0.lookBackDays'],
  ],
  [
    { savedFilters: [{ ...filter, filter: '' }, filter] },
    { savedFilters: [filter] },
    ['savedFilters.0.filter'],
  ],
  [{ targets: [target('a', { prot: 1 })], defaultTarget: 'a' }, {}, ['targets.0', 'defaultTarget']],
  [{ targets: [7, a], defaultTarget: 7 }, { targets: [a] }, ['targets.0', 'defaultTarget']],
  [{ formerSecretHeaders: [1, 'x-old'] }, { formerSecretHeaders: ['x-old'] }, ['formerSecretHeaders.0']],
  [{ targets: { name: 'a' }, connections: [c] }, { connections: [c] }, ['targets']],
  [{ conections: [c], targets: [a] }, { targets: [a] }, ['"conections" is not known here']],
  [
    { receiver: { port: '4411', bodyLimit: 2_048 }, retention: { budgetBytes: 10_000_001 } },
    { receiver: { ...receiver, bodyLimit: 2_048 }, retention: { ...retention, budgetBytes: 10_000_001 } },
    ['receiver.port'],
  ],
  [{ receiver: { tls: TLS, port: 1 } }, { receiver: { ...receiver, port: 1 } }, ['receiver.tls.certificate']],
  [
    { receiver: { prot: 1 }, desktop: OWN },
    { desktop: { ...DEFAULT_SETTINGS.desktop, keepReceiving: false } },
    ['receiver: "prot"', 'desktop: "__proto__"'],
  ],
  [
    { retention: 5, appearance: { theme: 'dark', language: 'fr' } },
    { appearance: { theme: 'dark', language: 'system' } },
    ['retention', 'appearance.language'],
  ],
]

test.each(REFUSED)('an entry that no command wrote is left out alone: %j', async (content, kept, places) => {
  const { now, warnings, path } = await opened(content)
  expect(now).toEqual({ ...DEFAULT_SETTINGS, ...kept })
  expect(warnings.map((sentence) => /\((.*)\): correct/.exec(sentence)?.[1])).toEqual(
    places.map((place) => expect.stringMatching(new RegExp(`^${place}[:; ]`))),
  )
  const ending =
    /\): correct it in .+ while Acuse is not running; before Acuse changes that file it keeps it as .+\.refused-\d+\.$/
  for (const sentence of warnings) expect(sentence).toMatch(ending)
  expect(warnings[0]).toContain(`correct it in ${path} `)
})

test.each([
  ['endpoints', [endpoint('a'), endpoint('a', { path: '/b' }), endpoint('c', { path: '/a' })]],
  ['targets', [target('a'), target('a', { url: 'http://127.0.0.1:9001/' })]],
  ['connections', [connection('a'), connection('a', { zone: 'UTC' })]],
  ['savedFilters', ['Mine', 'mine'].map((name) => ({ ...filter, name }))],
] as const)('of %s of the same name the first stays', async (list, entries) => {
  const { now, warnings } = await opened({ [list]: entries })
  expect(now[list].filter((one) => !('path' in one) || one.path !== '/')).toEqual(entries.slice(0, 1))
  expect(warnings).toHaveLength(entries.length - 1)
  expect(warnings[0]).toMatch(/"[aA mine]+".*\.name: one before it has this name already; give it another/)
})

it('the first of two schedules of a connection stays', async () => {
  const schedules = [schedule('a'), schedule('a', { enabled: false })]
  const { now, warnings } = await opened({ connections: [c], schedules })
  expect(now.schedules).toEqual([schedule('a')])
  expect(warnings).toEqual([expect.stringContaining('this connection has a schedule already')])
})

it('no sentence repeats a value, and none is obeyed by a terminal', async () => {
  const { warnings } = await opened({
    connections: [connection('a', { apiKey: 'canary-7' }), connection('b', { canary: 'canary-7' })],
    targets: [target('\u001b[2J\u202e', { headers: [{ name: 'X', value: 'canary-7\n', secret: false }] })],
  })
  expect(warnings).toHaveLength(3)
  expect(warnings.join('\n')).not.toContain('canary-7')
  expect(warnings.join('\n')).toContain('The target "?[2J?" is left out')
})

const secret = { header: 'X-Key', values: 2 }

it.each([
  ['for its answer', { ...DEFAULT_ENDPOINT, name: 'main', answer: {}, secret }, 'main'],
  ['for its path', { ...DEFAULT_ENDPOINT, path: '', secret }, 'default'],
])('the default endpoint: asks for its secret still when it is refused %s', async (_, refused, name) => {
  const { now, warnings } = await opened({ endpoints: [refused, endpoint('a')] })
  expect(now.endpoints).toEqual([{ ...DEFAULT_ENDPOINT, name, secret }, endpoint('a')])
  const told = /^The default endpoint takes its defaults, but for its secret \(endpoints\.0\./
  expect(warnings).toEqual([expect.stringMatching(told)])
})

it('the default endpoint: takes no delivery without it', async () => {
  const folder = tempFolder()
  const refused = { ...DEFAULT_ENDPOINT, enabled: 'yes', secret: { header: 'X-Key', values: 1 } }
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ endpoints: [refused] }))
  const secrets = await openSecrets(folder)
  await secrets.set('endpoint:default:current', 'hush')
  const warnings: string[] = []
  const warn = (message: string) => warnings.push(message)
  const { receiverUrl, close } = await assembled({ dataDir: folder, secrets, warn })
  const post = (headers: Record<string, string>) => fetch(receiverUrl, { method: 'POST', headers })
  expect((await post({})).status).toBe(401)
  expect((await post({ 'X-Key': 'hush' })).status).toBe(200)
  await close()
  expect(warnings).toEqual([expect.stringContaining('but for its secret (endpoints.0.enabled')])
})

it('the default endpoint: says so when its secret cannot be told', async () => {
  const { now, warnings } = await opened({ endpoints: [{ ...DEFAULT_ENDPOINT, secret: 'X-Key' }] })
  const told = /^The default endpoint takes its defaults and asks for no secret/
  expect([now.endpoints, warnings]).toEqual([[DEFAULT_ENDPOINT], [expect.stringMatching(told)]])
})

it('the default endpoint: takes another name where its own is taken, and not the secret of that one', async () => {
  const taken = endpoint('default', { path: '/a', secret })
  const { now } = await opened({ endpoints: [taken, { ...DEFAULT_ENDPOINT, secret }] })
  expect(now.endpoints).toEqual([{ ...DEFAULT_ENDPOINT, name: 'default-2' }, taken])
})

const content = { targets: [target('a'), target('b', { url: 'no address' })] }

it('the file that was refused in part: stays as it is until Acuse changes it, and is kept then, once, for this user alone', async () => {
  const { folder, path, text, warnings, settings, kept } = await opened(content)
  expect([kept(), readFileSync(path, 'utf8')]).toEqual([[], text])
  await settings.change((present) => ({ ...present, defaultTarget: 'a' }))
  await settings.change((present) => ({ ...present, defaultTarget: null }))
  const [name = '', ...others] = kept()
  expect(others).toEqual([])
  expect(warnings[0]).toContain(` ${join(folder, name)}.`)
  expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
  if (process.platform !== 'win32') expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(path, 'utf8')).targets).toEqual([target('a')])
})

it('the file that was refused in part: is kept as it is by then, and as it was where it is gone', async () => {
  const corrected = await opened(content)
  writeFileSync(corrected.path, '{"targets": []}')
  await corrected.settings.change((present) => present)
  expect(readFileSync(join(corrected.folder, corrected.kept()[0] ?? ''), 'utf8')).toBe('{"targets": []}')
  const gone = await opened(content)
  rmSync(gone.path)
  await gone.settings.change((present) => present)
  expect(readFileSync(join(gone.folder, gone.kept()[0] ?? ''), 'utf8')).toBe(gone.text)
})

it('the file that was refused in part: is not written over where it cannot be kept', async () => {
  const { path, text, settings, warnings } = await opened(content)
  const as = /keeps it as (.+)\.$/.exec(warnings[0] ?? '')?.[1] ?? ''
  // A folder has the name of the copy's draft.
  mkdirSync(`${as}.new`)
  await expect(settings.change((present) => present)).rejects.toMatchObject({ code: 'store-failed' })
  expect(readFileSync(path, 'utf8')).toBe(text)
  rmdirSync(`${as}.new`)
  await settings.change((present) => present)
  expect(readFileSync(as, 'utf8')).toBe(text)
})

it('the file that was refused in part: is not kept where nothing is refused', async () => {
  const { settings, kept } = await opened({ targets: [target('a')] })
  await settings.change((present) => ({ ...present, defaultTarget: 'a' }))
  expect(kept()).toEqual([])
})
