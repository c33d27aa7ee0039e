import { expect, onTestFinished, test } from 'vitest'
import type { Connection } from '#contract/connection.ts'
import { DEFAULT_CONNECTION, DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { documentTypesFrom, mappingFrom } from '#hosts/cli/commands/connections.ts'
import { recover, runReconcile } from '#hosts/cli/commands/reconcile.ts'
import { type Cli, changed } from '#hosts/cli/shared/command.ts'
import { connectionText } from '#hosts/cli/shared/connection-text.ts'
import type { Reached } from '#hosts/cli/shared/reach.ts'
import { reconciliationRecord } from '#hosts/cli/shared/reconcile-options.ts'
import { reconciliationText } from '#hosts/cli/shared/reconcile-text.ts'
import { connectLocal } from '#hosts/local/client.ts'
import { startCli } from '../../../support/cli-process.ts'
import { foreignService } from '../../../support/foreign-service.ts'
import { runCli, startHost } from '../../../support/host.ts'
import { runningSandbox } from '../../../support/running-sandbox.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { terminalDouble } from '../../../support/terminal-double.ts'
import { aRow, aSummary, aSweep } from '../../interop/report/samples.ts'

const LOOK = { paint: (_: unknown, part: string) => part, zone: 'America/Santo_Domingo' }
const NEVER = new Promise<void>(() => {})
const ERP: Connection = { ...DEFAULT_CONNECTION, name: 'erp', baseUrl: 'https://service.example' }

type Called = readonly [command: string, params: Record<string, unknown>]

/** A host made of functions. @returns the host and its recorded calls */
function hostOf(answers: Readonly<Record<string, (params: never) => unknown>>) {
  const called: Called[] = []
  const call = async (command: string, params: Record<string, unknown>) => {
    called.push([command, params])
    const answer = answers[command]
    if (!answer) throw new Error(`${command} was not expected`)
    return answer(params as never)
  }
  return { called, call: call as unknown as Reached['call'] }
}

test('--json: has exactly the members of the issue, in their order, and says the classes as its counts do', () => {
  const record = reconciliationRecord(aSummary(), [
    aRow(),
    aRow({ class: 'webhook-only', missed: [], rules: ['not-listed'], likelyReason: 'voided' }),
  ])
  expect(JSON.stringify(record)).toBe(
    '{"route":"accounting","complete":true,"items":600,' +
      '"counts":{"matched":598,"differs":1,"missing":1,"webhookOnly":0,"notYetDue":0,"dateUnknown":0,"notSubscribed":0,"cannotTell":0,"recovered":0},' +
      `"rows":[{"documentId":"${aRow().documentId}","number":"E310000000001","class":"missing","missed":[{"kind":"factura.created","rule":"no-created"}],` +
      '"rules":["no-created"],"differences":[],"cannotTell":[],"reason":"factura.created: listed by the service, no created event captured"},' +
      `{"documentId":"${aRow().documentId}","number":"E310000000001","class":"webhookOnly","missed":[],` +
      '"rules":["not-listed"],"differences":[],"cannotTell":[],"reason":"captured with an issue date in the range, not listed by the service; likely because it was voided"}]}',
  )
})
test('--json: an incomplete sweep is not complete', () => {
  const summary = aSummary({ sweep: aSweep({ state: 'incomplete' }), notReached: 7 })
  expect(reconciliationRecord(summary, [])).toMatchObject({ complete: false, rows: [], notReached: 7 })
})
test('--json: what was issued after the sweep began is told so, here and in the text', () => {
  const since = aRow({ class: 'webhook-only', missed: [], issuedSince: true })
  const { rows } = reconciliationRecord(aSummary(), [aRow(), since])
  expect(rows.map((row) => row.issuedSince)).toEqual([undefined, true])
  expect(reconciliationText(aSummary(), [since], LOOK)).toContain('issued after this sweep began')
})

test('for people: counts, money at stake, each miss with kind and rule; nothing in it acts on the terminal', () => {
  const text = reconciliationText(
    aSummary(),
    [aRow({ number: '\u001b[31mE31\nx', ignored: 'a test', cannotTell: ['void-without-event'] })],
    LOOK,
  )
  const counts = ['matched                    598', 'DOP  1,180.00 in 1 document']
  const cannotTell = 'cannot tell: whether a void was missed'
  const rows = [
    'factura.created: listed by the service',
    'ignored because: a test',
    cannotTell,
    '\\x1b[31mE31\\nx',
  ]
  for (const part of [...counts, ...rows]) expect(text).toContain(part)
  expect(text).not.toContain('\u001b')
})

test('what is recovered: the deliveries of this rebuilding are sent as a job, and what was left out is told', async () => {
  const terminal = terminalDouble()
  const job = { id: 4, state: 'done', total: 2, done: 1, failed: 1, inFlight: 0, lastError: null }
  const { call, called } = hostOf({
    'recovery.rebuild': () => ({
      ...{ events: 2, documents: 2, ids: { first: 10, last: 12 } },
      absent: [{ kind: 'factura.created', field: 'CustomerPhone', events: 2 }],
      left: [{ reason: 'already-rebuilt', documents: 3 }],
    }),
    // The ids have gaps: other deliveries arrived between, and another rebuild followed.
    'recovery.deliveries': () => ({ rows: [{ id: 10 }, { id: 12 }, { id: 15 }] }),
    'jobs.start': () => job,
    'jobs.get': () => job,
    'attempts.list': () => ({ attempts: [], more: false }),
  })
  const done = await recover({ call, terminal, stop: NEVER }, aSweep(), 'staging')
  expect(done).toEqual({ target: 'staging', events: 2, sent: 1, failed: 1 })
  const source = { type: 'ids', ids: [10, 12] }
  const started = {
    source,
    options: expect.objectContaining({ to: { target: 'staging' }, order: 'document' }),
  }
  expect(called).toContainEqual(['jobs.start', started])
  for (const part of ['Not rebuilt for 3', 'no CustomerPhone', '1 taken, 1 failed'])
    expect(terminal.stderr()).toContain(part)
})

test('a connection that is changed: what is not named stays; corrections are made one at a time', () => {
  const present = { ...ERP, mapping: { number: '/a' }, zone: 'Europe/Madrid' }
  const after = changed(present, {
    name: 'two',
    timeouts: { answerMs: 5 },
    mapping: mappingFrom(['voided=none', 'issuedAt=/Meta/Date']),
  })
  expect(after).toMatchObject({
    name: 'two',
    zone: 'Europe/Madrid',
    timeouts: { ...DEFAULT_CONNECTION.timeouts, answerMs: 5 },
    mapping: { number: '/a', voided: null, issuedAt: '/Meta/Date' },
  })
  expect(changed(present, { mapping: null }).mapping).toBeNull()
})
test('a connection that is changed: is shown with where its key lies, and what is not as usual', () => {
  const text = connectionText({ ...ERP, apiKey: 'stored', mapping: { number: null }, proxy: 'none' })
  for (const part of ['erp  https://service.example', 'in the secret store', 'number nowhere', 'Proxy'])
    expect(text).toContain(part)
  for (const usual of ['Time-outs', 'Types']) expect(text).not.toContain(usual)
  const documentTypes = documentTypesFrom('77=factura;78=gasto')
  expect(connectionText({ ...ERP, documentTypes })).toMatch(/^ +Types +77=factura, 78=gasto$/m)
})

test('nothing is called missed while captured deliveries wait for their analysis: exit code 3, nothing recovered', async () => {
  const { call, called } = hostOf({
    'settings.get': () => ({ ...DEFAULT_SETTINGS, connections: [{ ...ERP, apiKey: 'stored' }] }),
    'deliveries.page': () => ({ rows: [], from: 0, total: 0 }),
    'sweeps.list': () => ({ sweeps: [] }),
    'sweeps.start': () => aSweep({ state: 'complete' }),
    'deliveries.settled': () => ({ unjudged: 1_200 }),
    'status.get': () => ({ receiver: { state: 'off' } }),
  })
  const options = {
    ...{ connection: 'erp', from: '2026-10-01', to: '2026-10-31', route: 'accounting', pageSize: 200 },
    ...{ failOn: new Set(['missing']), recoverTo: 'http://127.0.0.1:9/hook' },
  } as const
  const terminal = terminalDouble()
  const cli = { ...({} as Cli), terminal, json: true }
  const message = expect.stringContaining('1,200 deliveries are still being analysed')
  const running = runReconcile(options as never, { call } as Reached, cli)
  await expect(running).rejects.toMatchObject({ exit: 3, message })
  expect(called.map(([command]) => command)).not.toContain('recovery.rebuild')
  expect(terminal.stdout()).toBe('')
})

const KEY = 'canary-2f9b17'
const DOCUMENTS = 60
const RANGE = ['--from', '2020-01-01', '--to', '2099-12-31', '--page-size', '4', '--json']

async function hostAndSlowService() {
  const { sandbox, client } = await runningSandbox({ credentials: { apiKey: KEY } })
  await client.admin('POST', '/scenarios/month', { count: DOCUMENTS })
  await client.admin('PUT', '/laboratory', { sync: { fault: 'slow', share: 1, slowMs: 150 } })
  const host = await startHost({ args: ['--no-ui'] })
  onTestFinished(() => host.kill())
  return { sandbox, client, folder: host.dataDir }
}

async function begun(args: readonly string[], folder: string) {
  const command = startCli(args, { ACUSE_API_KEY: KEY })
  const client = (await connectLocal(folder)) ?? expect.fail('no host listens')
  const pages = async () => (await client.call('sweeps.list', {})).sweeps[0]?.pages ?? 0
  await expect.poll(pages, { timeout: 30_000 }).toBeGreaterThan(2)
  await client.close()
  return command
}

test('acuse reconcile beside a host: Ctrl+C pauses the sweep; the same command goes on', {
  tags: 'long',
}, async () => {
  const { sandbox, client, folder } = await hostAndSlowService()
  const data = ['--data', folder]
  const args = ['reconcile', '--base-url', sandbox.url, ...RANGE, ...data]
  const { interrupt, stdout, stderr } = await begun(args, folder)
  expect([await interrupt(), stdout()]).toEqual([3, ''])
  expect(stderr()).toMatch(/Sweep \d+ was paused at .+The same command goes on from there/)
  await client.admin('DELETE', '/laboratory')
  const { code, stdout: printed, stderr: said } = await runCli(args, { env: { ACUSE_API_KEY: KEY } })
  expect(said).toContain('Goes on with sweep')
  expect([code, JSON.parse(printed)]).toMatchObject([1, { complete: true, items: DOCUMENTS }])
  const { stdout: left } = await runCli(['connections', 'list', '--json', ...data])
  expect(JSON.parse(left)).toEqual({ connections: [] })
  expect(said + stderr() + printed).not.toContain(KEY)
})

test('acuse reconcile: says once that a failed request is tried again, and how often that may be', {
  tags: 'long',
}, async () => {
  const service = await foreignService([])
  onTestFinished(service.close)
  service.turn({ fault: (asked) => (asked <= 2 ? { status: 503 } : null) })
  const args = ['reconcile', '--base-url', service.url, ...RANGE, '--data', tempFolder()]
  const { ended, stderr } = startCli(args, { ACUSE_API_KEY: KEY })
  await ended
  expect(stderr().match(/^.*503.* Retrying, 1 of \d+\.$/gm)).toHaveLength(1)
  expect(stderr().match(/Retrying/g)).toHaveLength(1)
})
