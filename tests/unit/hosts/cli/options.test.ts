import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import { main, acuse as program } from '#hosts/cli/main.ts'
import { connectLocal, type LocalClient } from '#hosts/local/client.ts'
import { cliHost } from '../../../support/cli-host.ts'
import { startCli } from '../../../support/cli-process.ts'
import { anEvent, aUuid } from '../../../support/events.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { takenPort } from '../../../support/listening-port.ts'
import { type SharedWorld, sharedWorld } from '../../../support/shared-world.ts'
import { systemctlStub } from '../../../support/systemctl-stub.ts'
import { sharedFolder, tempFolder } from '../../../support/temp-folder.ts'
import { terminalDouble } from '../../../support/terminal-double.ts'
import { until } from '../../../support/until.ts'
import { words } from '../../../support/words.ts'
import { SERVICE } from './options-service.ts'
import { OURS, type Row } from './options-table.ts'

/** Every command. Ours are last: they delete deliveries. */
const TABLE: Readonly<Record<string, Row>> = { ...SERVICE, ...OURS }
const TOKEN = 'k-3f9'
const { host, acuse, post } = cliHost({
  args: ['--sandbox', '--sandbox-port', '0'],
  env: { TOKEN },
  secret: 'unused canary',
})
const folder = sharedFolder()
let client: LocalClient

beforeAll(async () => {
  const found = await connectLocal(host().dataDir)
  if (!found) throw new Error('no host')
  client = found
  await post('/?token=s3cret')
  await post('/', JSON.stringify({ Event: 'factura.created' }))
  await acuse(['trigger', '--scenario', 'accepted'])
  await client.call('deliveries.settled', { timeoutMs: 20_000 })
  return () => client.close()
})

function leaves(command: Command, path: string): readonly (readonly [path: string, command: Command])[] {
  const inner = command.commands.flatMap((one) => leaves(one, `${path} ${one.name()}`))
  return command.options.length > 0 ? [[path, command], ...inner] : inner
}
const COMMANDS = program({ terminal: terminalDouble(), exitWith() {} }).commands.flatMap((one) =>
  leaves(one, one.name()),
)
/** Without those that every command has, which are tested apart. */
const optionsOf = (command: Command): readonly string[] =>
  command.options
    .filter(({ flags }) => !/^--(?:json|data(?:-dir)? <dir>)$/.test(flags))
    .map(({ long }) => `${long}`.slice(2))

test('the table has a row for every option of every command, and no other', () => {
  const declared = COMMANDS.map(([path, command]) => [path, optionsOf(command).toSorted()])
  const rows = Object.entries(TABLE).map(([path, { options = {} }]) => [
    path,
    Object.keys(options).toSorted(),
  ])
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(declared))
})

/** No command may reach the services of the user who runs the tests. */
const manager = systemctlStub(folder)

let world: Promise<SharedWorld> | undefined
afterAll(async () => (await world)?.[Symbol.asyncDispose]())

let made = 0
const newName = () => {
  made += 1
  return `n${made}`
}
const idOf = async (line: string) => JSON.parse((await acuse(words(`${line} --json`))).stdout).id
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
async function named(line: string): Promise<string> {
  const name = newName()
  await acuse(words(line.replace('{name}', name)), { env: { KEY: host().sandbox?.apiKey ?? '' } })
  return name
}
async function job(to: string, ratePerSecond: number | null): Promise<number> {
  const { id } = await client.call('jobs.start', {
    source: { type: 'ids', ids: [1, 2] },
    options: { ...DEFAULT_JOB_OPTIONS, to: { target: to }, ratePerSecond },
  })
  if (ratePerSecond === null)
    await until(
      async () => (await client.call('jobs.get', { id })).state,
      (state) => state === 'done',
    )
  return id
}
const FAULT = {
  endpoint: null,
  effect: { type: 'delay', ms: 1 },
  probability: 1,
  seed: 1,
  filter: '',
  next: null,
  until: null,
} as const
/** Makes the store larger than the smallest budget, which deletes the oldest. @returns that budget */
async function overBudget(): Promise<number> {
  await client.call('settings.update', { retention: { budgetBytes: 5e9, overBudget: 'delete-oldest' } })
  await post('/', 'x'.repeat(14_000_000))
  await until(async () => (await client.call('status.get', {})).disk.usedBytes > 14_000_000)
  return 10_000_000
}
const DEAD = 'http://127.0.0.1:9/'

/** What a placeholder stands for: `{target}` a new target, `{fresh}` a new folder, and so on. */
const PLACES: Readonly<Record<string, () => unknown>> = {
  name: newName,
  service: async () => {
    await acuse(['service', 'install', '--data', join(tempFolder(), 'data')], { env: environment() })
    return ''
  },
  hook: async () => (await hookReceiver()).url,
  log: async () => {
    world ??= sharedWorld()
    return (await world).url
  },
  link: async () => (await client.call('ui.link', {})).url,
  sandbox: () => host().sandbox?.sandbox,
  folder: () => folder,
  fresh: () => join(tempFolder(), 'data'),
  port: async () => {
    using taken = await takenPort()
    return taken.port
  },
  last: async () =>
    (await client.call('deliveries.page', { filter: '', from: 'newest', limit: 1 })).rows[0]?.id,
  document: async () => (await client.call('deliveries.get', { id: 1 })).documentId,
  event: () => file('event.json', JSON.stringify(anEvent('factura.created'))),
  payload: () => {
    const name = newName()
    return file(
      `${name}.json`,
      JSON.stringify(anEvent('factura.created', { data: { DocumentId: aUuid(made) } })),
    )
  },
  accepted: async () =>
    (await client.call('deliveries.page', { filter: 'kind:dgii.aprobado', from: 'newest', limit: 1 })).rows[0]
      ?.id,
  session: async () => {
    await acuse(words`export --id 1 --out ${join(folder, 'one.acuse')}`)
    return join(folder, 'one.acuse')
  },
  nojson: () => file('nojson', '{'),
  config: () => file('config.json', JSON.stringify({ appearance: { theme: 'dark' } })),
  target: () => named(`targets set {name} --url ${DEAD}`),
  stripping: () => named(`targets set {name} --url ${DEAD} --strip X-A`),
  quiet: () => named(`alerts set {name} --on silence --to ${DEAD} --hours 07:07-08:08`),
  forward: () => named(`forwards set {name} --to ${DEAD}`),
  connection: () => named('connections set {name} --base-url http://127.0.0.1:9'),
  account: () => named(`connections set {name} --base-url ${host().sandbox?.sandbox} --api-key-env KEY`),
  scheduled: async () => {
    const name = await named('connections set {name} --base-url http://127.0.0.1:9')
    await acuse(['connections', 'schedule', name, '--every', '60', '--off'])
    return name
  },
  secret: async () => {
    const name = newName()
    await acuse(['config', 'set', `endpoint.${name}.path`, `/${name}`])
    await acuse(['config', 'set', `endpoint.${name}.secret`, 'X-Key', '--from-env', 'OLD'], {
      env: { OLD: 'old' },
    })
    return `endpoint.${name}.secret`
  },
  party: async () => (await client.call('deliveries.get', { id: 1 })).document?.party,
  budget: overBudget,
  budgetfile: async () =>
    file('budget.json', JSON.stringify({ retention: { budgetBytes: await overBudget() } })),
  fault: async () => (await client.call('faults.add', FAULT)).faults.at(-1)?.id,
  failed: () => job(DEAD, null),
  running: () => job(DEAD, 0.01),
  paused: async () => {
    const id = await job(DEAD, 0.01)
    // A job that goes on sends one at once, and only that one is left then.
    await until(
      () => client.call('jobs.get', { id }),
      ({ done, failed }) => done + failed === 1,
    )
    await client.call('jobs.pause', { id })
    return id
  },
  subscription: () => idOf(`sandbox subscriptions add ${DEAD} --kinds gasto.updated`),
  key: () => idOf('sandbox keys issue'),
  plugin: () => idOf('sandbox plugins install'),
}

/** Fills the placeholders of several texts, each placeholder once. */
async function filled<T extends readonly string[]>(
  ...texts: T
): Promise<{ readonly [K in keyof T]: string }> {
  const known = new Map<string, string>()
  for (const [, place = ''] of texts.join(' ').matchAll(/\{(\w+)\}/g))
    if (place in PLACES && !known.has(place)) known.set(place, String(await PLACES[place]?.()))
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (whole, place) => known.get(place) ?? whole)
  return texts.map(fill) as { readonly [K in keyof T]: string }
}

const split = (line: string): readonly string[] =>
  (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''))

const environment = () => {
  const { apiKey = '', pluginToken = '' } = host().sandbox ?? {}
  return {
    KEY: apiKey,
    ACUSE_API_KEY: apiKey,
    ACUSE_PLUGIN_TOKEN: pluginToken,
    ACUSE_SECRET: 'x',
    TOKEN,
    ...manager,
  }
}

/** Runs a command, and the one that shows its effect. @returns exit code, number of lines and everything printed */
async function outcome(path: string, row: Row, run: string, see = ''): Promise<string> {
  const env = environment()
  const args = [...split(path), ...split(run)]
  const input = {
    stdin: run.includes('--api-key-stdin') || run.includes('--plugin') ? '' : 'from stdin',
    env,
  }
  const seen = async () => (see === '' ? '' : (await acuse(split(see), input)).stdout)
  const report = /--report (\S+)/.exec(run)?.[1]
  if (row.screen) {
    vi.stubEnv('ACUSE_DATA', host().dataDir)
    const terminal = terminalDouble({ columns: 80 })
    const code = await main(args, terminal)
    return `exit ${code}, ${terminal.stdout().split('\n').length - 1} lines\n${terminal.stdout()}`
  }
  if (!row.lives) {
    const { code, stdout, stderr } = await acuse(args, input)
    if (report !== undefined) return readFileSync(report, 'utf8')
    return `exit ${code}, ${stdout.split('\n').length - 1} lines\n${stdout}\n${stderr}\n${await seen()}`
  }
  const command = startCli(args, { ...env, ACUSE_DATA: host().dataDir })
  if (row.stdin !== undefined) command.child.stdin.end(row.stdin)
  await Promise.race([command.ended, command.says(/^(?:Data |MCP: )/m)])
  const after = await seen()
  await command.interrupt()
  return `${command.stdout()}\n${command.stderr()}\n${after}`
}

test.each(Object.entries(TABLE))('acuse %s --json prints JSON instead of text', async (path, row) => {
  const { run = '', apart = run, lives } = row
  const plain = async () => [...split(path), ...split((await filled(apart.replace(' --json', '')))[0])]
  const env = environment()
  if (lives) {
    const command = startCli([...(await plain()), '--json'], { ...env, ACUSE_DATA: host().dataDir })
    const [line] = await command.says(/^\{.+$/m)
    expect(JSON.parse(line)).toEqual(expect.any(Object))
    return
  }
  const text = await acuse(await plain(), { env })
  const json = await acuse([...(await plain()), '--json'], { env })
  expect([json.code, json.stderr]).toEqual([text.code, expect.anything()])
  for (const line of json.stdout.split('\n').filter(Boolean)) JSON.parse(line)
  expect(json.stdout).not.toBe(text.stdout)
})

test.each(COMMANDS)(
  'acuse %s uses the folder that --data names, or has no such option',
  async (path, command) => {
    const flag = command.options.find(({ flags }) => /^--data(?:-dir)? <dir>$/.test(flags))?.long
    expect(flag === undefined).toBe(
      /^(?:attach|completion|man|service (?:remove|status)|shared .*|validate)$/.test(path),
    )
    const { run = '', apart = run, lives } = TABLE[path] ?? {}
    if (flag === undefined || lives) return
    const absent = join(tempFolder(), 'absent')
    const [words] = await filled(apart)
    const { code } = await acuse([...split(path), ...split(words), String(flag), absent], {
      env: environment(),
    })
    expect([code, existsSync(absent)]).toContainEqual(code === 3 ? 3 : true)
  },
)

const ROWS = Object.entries(TABLE).flatMap(([path, row]) =>
  Object.entries(row.options ?? {}).map(
    ([name, shown]) => [`${path} --${name}`, path, row, name, shown] as const,
  ),
)

test.each(ROWS)('acuse %s changes the outcome', async (_, path, row, name, shown) => {
  const { run = '', see = '' } = row
  const [value = '', text = ''] = typeof shown === 'string' ? shown.split('→') : []
  const [changed, expected, instead = run] =
    typeof shown === 'string' ? [`${run} --${name} ${value}`, text.trim()] : shown
  const [words, sight, sign] = await filled(changed, see, expected)
  const [usual, usually] = await filled(instead, see)
  const without = await outcome(path, row, usual, usually)
  expect(await outcome(path, row, words, sight)).toContain(sign)
  expect(without).not.toContain(sign)
})
