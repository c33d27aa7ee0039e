import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { DEFAULT_CONNECTION, DEFAULT_ENDPOINT, DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { openScheduleMemories, recallSandbox } from '#hosts/memories.ts'
import { openSecrets } from '#hosts/secrets-file.ts'
import { openSettings } from '#hosts/settings-file.ts'
import { tempFolder } from '../../support/temp-folder.ts'

let folder: string
let warnings: string[]
const warn = (message: string) => warnings.push(message)

beforeEach(() => {
  folder = tempFolder()
  warnings = []
})

const byHand = (content: string): void => writeFileSync(join(folder, 'settings.json'), content)
const open = () => openSettings(folder, warn)
/** @returns the settings in use after a start on the folder */
const inUse = async () => (await open()).get()
const former = async () => (await inUse()).formerSecretHeaders

it('the settings file: gives the defaults when there is none, and writes nothing by itself', async () => {
  expect(await inUse()).toEqual(DEFAULT_SETTINGS)
  expect(readdirSync(folder)).toEqual([])
})

it('the settings file: brings back what was changed, for this user alone', async () => {
  const settings = await open()
  const changed = { receiver: { ...DEFAULT_SETTINGS.receiver, port: 4411 }, formerSecretHeaders: ['x-old'] }
  await settings.change((present) => ({ ...present, ...changed }))
  expect(await inUse()).toMatchObject(changed)
  if (process.platform !== 'win32') expect(statSync(join(folder, 'settings.json')).mode & 0o077).toBe(0)
})

it('the settings file: keeps every one of many changes made at once', async () => {
  const settings = await open()
  const budget = (_: unknown, n: number) =>
    settings.change(({ retention, ...present }) => ({
      ...present,
      retention: { ...retention, budgetBytes: 10_000_000 + n },
    }))
  await Promise.all(Array.from({ length: 20 }, budget))
  expect((await inUse()).retention.budgetBytes).toBe(10_000_019)
})

it('the settings file: that cannot be opened are told, and Acuse runs with the defaults; a change sets them aside', async () => {
  const path = join(folder, 'settings.json')
  // Root ignores file modes, so a folder with the file's name causes the failure.
  mkdirSync(path)
  const settings = await open()
  expect(settings.get()).toEqual(DEFAULT_SETTINGS)
  expect(warnings.join()).toMatch(/settings\.json cannot be read: .*no endpoint asks for a secret/)
  expect(statSync(path).isDirectory()).toBe(true)
  await settings.change((present) => ({ ...present, appearance: { theme: 'dark', language: 'es' } }))
  expect(readdirSync(folder).some((name) => name.startsWith('settings.json.unreadable-'))).toBe(true)
  expect((await inUse()).appearance.theme).toBe('dark')
})

it.runIf(process.getuid?.() === 0)('the settings file: of another user are in use, and told', async () => {
  byHand(JSON.stringify({ appearance: { theme: 'dark' } }))
  chownSync(join(folder, 'settings.json'), 12_345, 12_345)
  expect((await inUse()).appearance.theme).toBe('dark')
  expect(warnings.join()).toContain('settings.json belongs to another user')
})

it.each(['secret-headers.json', 'schedule-runs.json', 'alerts.json', 'sandbox-host.json'])(
  'the settings file: do not keep Acuse from starting where %s cannot be opened',
  async (name) => {
    mkdirSync(join(folder, name))
    await open()
    expect((await openScheduleMemories(folder)).get('a')).toBeUndefined()
    expect((await recallSandbox(folder)).running).toBe(false)
  },
)

it.each([
  ['no JSON', '{"receiver": '],
  ['a list', '[]'],
  ['nothing at all', ''],
  ['a bare null', 'null'],
])('the settings file: sets %s aside with a sentence instead of overwriting it', async (_, content) => {
  byHand(content)
  expect(await inUse()).toEqual(DEFAULT_SETTINGS)
  expect(warnings[0]).toContain('set aside')
  const aside = readdirSync(folder).find((name) => name.startsWith('settings.json.unreadable-'))
  expect(readFileSync(join(folder, aside ?? ''), 'utf8')).toBe(content)
})

it('connections come back as they were, also one of an Acuse before', async () => {
  const connection = { ...DEFAULT_CONNECTION, name: 'main', baseUrl: 'https://api.example.test' }
  const settings = await open()
  await settings.change((present) => ({ ...present, connections: [connection] }))
  expect((await inUse()).connections).toEqual([connection])
  const { apiKey: _, documentTypes: __, ...older } = connection
  byHand(JSON.stringify({ connections: [older] }))
  expect((await inUse()).connections).toEqual([connection])
  expect(warnings).toEqual([])
})

it('the secrets file: keeps values across openings, for this user alone', async () => {
  const secrets = await openSecrets(folder)
  await secrets.set('endpoint:default:current', 'hush')
  expect(await (await openSecrets(folder)).get('endpoint:default:current')).toBe('hush')
  if (process.platform !== 'win32') expect(statSync(join(folder, 'secrets.json')).mode & 0o077).toBe(0)
  await secrets.set('endpoint:default:current', undefined)
  expect(await (await openSecrets(folder)).get('endpoint:default:current')).toBeUndefined()
})

it('the secrets file: stores what the coding makes of a value, never the value itself', async () => {
  const secrets = await openSecrets(folder, {
    encode: async (value) => Buffer.from(value).toString('base64'),
    decode: async (stored) => Buffer.from(stored, 'base64').toString(),
  })
  await secrets.set('key', 'hush')
  expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).not.toContain('hush')
  expect(await secrets.get('key')).toBe('hush')
})

it('the secrets file: does not take what the desktop app sealed for the secret itself', async () => {
  writeFileSync(join(folder, 'secrets.json'), '{"key":"acuse-os-sealed:AAAA"}')
  const secrets = await openSecrets(folder)
  await expect(secrets.get('key')).rejects.toMatchObject({ code: 'not-available' })
})

it('the secrets file: refuses to start with secrets it cannot read: everything would be accepted', async () => {
  writeFileSync(join(folder, 'secrets.json'), '{')
  await expect(openSecrets(folder)).rejects.toMatchObject({ code: 'store-failed' })
})

const asking = (header: string, more = {}) => ({
  ...DEFAULT_ENDPOINT,
  secret: { header, values: 1 as const },
  ...more,
})
const withSecret = (header: string): string => JSON.stringify({ endpoints: [asking(header)] })

it('headers that carried a secret (Authentication, rule 1): are remembered by name alone, for this user alone, and stay covered when their endpoint is changed or removed by hand while Acuse is not running', async () => {
  byHand(withSecret('X-First'))
  await open()
  const remembered = join(folder, 'secret-headers.json')
  expect(JSON.parse(readFileSync(remembered, 'utf8'))).toEqual(['x-first'])
  if (process.platform !== 'win32') expect(statSync(remembered).mode & 0o077).toBe(0)
  byHand(withSecret('X-Second'))
  expect(await former()).toEqual(['x-first'])
  byHand('{}')
  expect(await former()).toEqual(['x-first', 'x-second'])
})

it('headers that carried a secret: stay covered when the settings are set aside, or deleted', async () => {
  await (await open()).change((present) => ({ ...present, endpoints: [asking('X-Taken')] }))
  byHand('{"receiver": ')
  expect(await former()).toEqual(['x-taken'])
  rmSync(join(folder, 'settings.json'), { force: true })
  expect(await former()).toEqual(['x-taken'])
})

it('headers that carried a secret: stay covered when what named them is refused', async () => {
  const pathless = asking('X-Kept', { name: 'orders', path: 'orders' })
  const odd = { ...DEFAULT_ENDPOINT, name: 'odd', path: '/odd', secret: { header: 'X-Odd', values: 9 } }
  const endpoint = [{ name: 'misspelt', secret: { header: 'X-Misspelt' } }]
  for (const content of [{ endpoints: [pathless, odd], endpoint }, {}]) {
    byHand(JSON.stringify(content))
    expect((await former())?.toSorted()).toEqual(['x-kept', 'x-misspelt', 'x-odd'])
  }
})

it('headers that carried a secret: are remembered anew when what was remembered cannot be understood', async () => {
  writeFileSync(join(folder, 'secret-headers.json'), '{"x": ')
  byHand(withSecret('X-First'))
  expect(await former()).toBeUndefined()
  byHand('{}')
  expect(await former()).toEqual(['x-first'])
})
