import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { COMMAND_NAMES, isReading } from '#contract/commands.ts'
import { DEFAULT_TARGET } from '#contract/defaults.ts'
import type { Engine } from '#core/engine/engine.ts'
import { openSessionFile, sessionOptions } from '#hosts/session-host.ts'
import { assembled } from '../../../support/assembled.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { exported, imported } from '../../../support/transfers.ts'
import { business, ranged, reconcileHost } from '../reconcile/support.ts'
import { jobTo } from '../replay/support.ts'

const KEY = 'canary-target-4f1b'

/** Writes a file into a folder of its own. @returns its path */
function fileOf(bytes: Uint8Array): string {
  const folder = join(tempFolder(), 'shared')
  mkdirSync(folder)
  writeFileSync(join(folder, 'x.acuse'), bytes)
  return join(folder, 'x.acuse')
}

async function opened(bytes: Uint8Array) {
  const path = fileOf(bytes)
  const unpacked = openSessionFile(path, tempFolder())
  const one = await assembled({ dataDir: unpacked.folder, ...sessionOptions(unpacked) })
  onTestFinished(one.close)
  const { engine } = one.host
  await engine.call('deliveries.settled', { timeoutMs: 20_000 })
  return { engine, path, folder: dirname(path) }
}

async function everything({ call }: Pick<Engine, 'call'>, filter = '') {
  const { rows } = await call('deliveries.scan', { filter, after: null, limit: 1_000, reveal: true })
  const ids = rows.map(({ id }) => id)
  const [details, attempts, bodies] = await Promise.all([
    Promise.all(ids.map((id) => call('deliveries.get', { id, reveal: true }))),
    Promise.all(ids.map((delivery) => call('attempts.list', { of: { delivery }, limit: 100 }))),
    Promise.all(ids.map((id) => call('deliveries.body', { id, view: 'raw', from: 0, length: 100_000 }))),
  ])
  const sent = await Promise.all(
    attempts
      .flatMap((one) => one.attempts)
      .map(async ({ id }) => [
        await call('attempts.get', { id, reveal: true }),
        atob((await call('attempts.body', { id, of: 'answer', from: 0, length: 100_000 })).bytesBase64),
      ]),
  )
  const { sweeps } = await call('sweeps.list', {})
  const classes = await Promise.all(
    sweeps.map(({ id: sweep }) => call('reconciliation.rows', { sweep, from: 0, limit: 1_000 })),
  )
  const documents = await call('documents.page', {
    query: '',
    sort: { by: 'number', descending: true },
    from: 0,
    limit: 500,
  })
  return {
    rows,
    details,
    attempts,
    sent,
    bodies,
    sweeps: sweeps.map(({ id, imported }) => ({ id, imported })),
    jobs: (await call('jobs.list', {})).jobs,
    classes,
    documents,
  }
}

/** The marks *imported* of what a session file holds besides deliveries. */
const marksOf = ({ attempts, jobs, sweeps }: Awaited<ReturnType<typeof everything>>) =>
  [attempts.flatMap((one) => one.attempts), jobs, sweeps].map((all) => all.map((one) => one.imported))

/** A store that has a delivery, a job and a connection of its own, whose ids and name the session's have too. */
async function otherBusiness(target: string) {
  const { call, connect, job, receiverUrl, host } = await reconcileHost()
  await connect(target)
  await fetch(receiverUrl, { method: 'POST', body: '{}' })
  await call('deliveries.settled', { timeoutMs: 20_000 })
  const { id } = await call('jobs.start', { source: { type: 'ids', ids: [1] }, options: jobTo(target) })
  return { engine: host.engine, job: await job(id, 'done') }
}

test('an opened session shows what the store showed, masked or not, and changes nothing', {
  timeout: 180_000,
}, async () => {
  const house = await business()
  const { call } = house
  await house.client.admin('PUT', '/laboratory', { lose: { share: 0.1 }, seed: 11 })
  await house.play('month', 15)
  const swept = await call('sweeps.start', { connection: 'main', range: ranged() })
  await house.sweep(swept.id, 'complete')
  const hook = await hookReceiver(({ body }, response) =>
    response.writeHead(200, { 'Set-Cookie': `sid=${KEY}` }).end(Buffer.concat([body, Buffer.from(KEY)])),
  )
  await call('targets.save', {
    ...DEFAULT_TARGET,
    ...{ name: 'erp', url: hook.url, headers: [{ name: 'X-Erp', value: KEY, secret: true }] },
  })
  const job = await call('jobs.start', { source: { type: 'ids', ids: [1, 2, 3] }, options: jobTo('erp') })
  await house.job(job.id, 'done')
  await call('deliveries.annotate', { ids: [2], note: 'call ana@quintana.example', addTags: ['urgent'] })
  await call('deliveries.pin', { ids: [3], pinned: true })
  await call('deliveries.settled', { timeoutMs: 20_000 })
  await call('reconciliation.summary', { sweep: swept.id })

  const before = await everything(house)
  const asked = Date.now()
  const plain = await exported(house.host.engine, { format: 'session', reveal: true, unmask: true })
  const whole = await opened(plain)
  expect(await everything(whole.engine)).toEqual(before)
  // Up to the export. Whether anything listened after it is unknown.
  const { spans } = await whole.engine.call('coverage.list', { from: 0, to: Date.now() })
  expect(spans.at(-1)?.state).toBe('listening')
  expect(spans.at(-1)?.to).toBeGreaterThanOrEqual(asked)

  const bytes = readFileSync(whole.path)
  const { mtimeMs } = statSync(whole.path)
  for (const command of COMMAND_NAMES)
    if (!isReading(command))
      await expect(whole.engine.dispatch(command, {})).rejects.toMatchObject({
        code: 'read-only',
        message: expect.stringContaining(`${whole.path}, opened read-only. Import it`),
      })
  expect(statSync(whole.path).mtimeMs).toBe(mtimeMs)
  expect(readFileSync(whole.path).equals(bytes)).toBe(true)
  expect(readdirSync(whole.folder)).toEqual(['x.acuse'])

  const masked = await opened(await exported(house.host.engine, { format: 'session' }))
  const after = await everything(masked.engine)
  const judged = ({ rows }: typeof before) =>
    rows.map(({ id, verdict, findings, marks }) => ({ id, verdict, findings, marks }))
  expect(judged(after)).toEqual(judged(before))
  const classesOf = ({ classes }: typeof before) =>
    classes.map(({ rows }) => rows.map((row) => row.class).toSorted())
  expect(classesOf(after)).toEqual(classesOf(before))
  expect(after.attempts.map(({ attempts }) => attempts.length)).toEqual(
    before.attempts.map(({ attempts }) => attempts.length),
  )
  const canaries = (all: object) =>
    JSON.stringify(all).match(/canary-target|quintana\.example|Ana Mercedes/g)?.length ?? 0
  expect(canaries(before)).toBeGreaterThan(5)
  expect(canaries(after)).toBe(0)

  // Merged: into its own store nothing is new, and into another one everything, once, under ids that were free.
  const attempts = before.attempts.flatMap((one) => one.attempts).length
  const [all, none] = [
    { attempts, jobs: 1, sweeps: 1 },
    { attempts: 0, jobs: 0, sweeps: 0 },
  ]
  const merged = (taken: typeof all, known: typeof all) => ({
    state: 'done',
    problems: [],
    session: Object.fromEntries(
      (['attempts', 'jobs', 'sweeps'] as const).map((what) => [
        what,
        { taken: taken[what], known: known[what], leftOut: 0 },
      ]),
    ),
  })
  const hidden = await exported(house.host.engine, { format: 'session' })
  for (const file of [plain, hidden])
    expect(await imported(house.host.engine, 'x.acuse', file)).toMatchObject(merged(none, all))
  expect(await everything(house)).toEqual(before)
  for (const [first, second] of [
    [plain, hidden],
    [hidden, plain],
  ] as const) {
    const other = await otherBusiness(hook.url)
    expect(await imported(other.engine, 'x.acuse', first)).toMatchObject(merged(all, none))
    await other.engine.call('deliveries.settled', { timeoutMs: 20_000 })
    const { sweeps } = await other.engine.call('sweeps.list', {})
    expect(sweeps).toMatchObject([{ connection: 'main-2', state: 'complete' }])
    await other.engine.call('reconciliation.summary', { sweep: sweeps[0]?.id ?? 0 })
    const got = await everything(other.engine, 'is:imported')
    const shown = ({ attempts: lists, jobs, sent, details, classes }: typeof before) => ({
      attempts: lists.flatMap((one) =>
        one.attempts.map(({ state, ok, status, startedAt }) => [state, ok, status, startedAt]),
      ),
      jobs: jobs.map(({ createdAt, endedAt, state, done }) => [createdAt, endedAt, state, done]),
      sent: sent.length,
      tags: details.map(({ tags, noteText }) => [tags, noteText !== null]),
      classes: classes.map(({ rows }) => rows.map((row) => row.class).toSorted()),
    })
    const [theirs, [own, ...jobs]] = [shown(before), got.jobs.toReversed()]
    expect(shown({ ...got, jobs })).toEqual(theirs)
    expect(own).toEqual(other.job)
    if (first === plain)
      expect(got.sent.map(([, answer]) => answer)).toEqual(before.sent.map(([, answer]) => answer))
    else expect(canaries(got)).toBe(0)
    expect(await imported(other.engine, 'x.acuse', second)).toMatchObject(merged(none, all))
    expect(await everything(other.engine, 'is:imported')).toEqual(got)
    // All but the job of its own is imported, and stays so in the next file.
    const marks = [before.attempts.flatMap((one) => one.attempts).map(() => true), [true, false], [true]]
    expect(marksOf(got)).toEqual(marks)
    const again = await opened(await exported(other.engine, { format: 'session', unmask: true }))
    expect(marksOf(await everything(again.engine, 'is:imported'))).toEqual(marks)
  }

  // Rows that Acuse never writes enter no store, and neither does what refers to them.
  const spoilt = fileOf(plain)
  using db = new DatabaseSync(spoilt)
  db.exec(`UPDATE attempt SET error = '{"code":' WHERE id = 1; UPDATE sweep SET problems = '[7]';
    DELETE FROM payload WHERE delivery_id = 3`)
  db.close()
  const careful = await assembled()
  onTestFinished(careful.close)
  expect(await imported(careful.host.engine, 'x.acuse', readFileSync(spoilt))).toMatchObject({
    state: 'done',
    session: { attempts: { leftOut: 2 }, jobs: { taken: 1 }, sweeps: { leftOut: 1 } },
    problems: ['changed', 'no-delivery', 'unsound', 'unsound'].map((why) => ({
      reason: { code: 'bad-record', details: { why } },
    })),
  })

  // A sweep that lost an item is taken over, but no longer proves what was not returned. Pins are added like notes.
  const torn = fileOf(plain)
  using items = new DatabaseSync(torn)
  items.exec('DELETE FROM sweep_raw WHERE id = (SELECT max(id) FROM sweep_raw); INSERT INTO pin VALUES (1)')
  items.close()
  expect(await imported(careful.host.engine, 'x.acuse', readFileSync(torn))).toMatchObject({
    session: { sweeps: { taken: 1 } },
    problems: [{ place: 'sweeps', reason: { details: { why: 'torn-sweep' } } }],
  })
  const { call: ask } = careful.host.engine
  expect((await ask('sweeps.list', {})).sweeps).toMatchObject([{ state: 'cancelled' }])
  await ask('deliveries.settled', { timeoutMs: 20_000 })
  expect((await everything(careful.host.engine, 'is:pinned')).rows).toHaveLength(2)

  // A selection takes what concerns it, and a session can be exported again.
  const some = await opened(
    await exported(masked.engine, { format: 'session', source: { type: 'ids', ids: [1, 2] } }),
  )
  const part = await everything(some.engine)
  expect(part.rows.map(({ id }) => id)).toEqual([1, 2])
  expect(part.jobs).toHaveLength(1)
  expect(part.classes.flatMap(({ rows }) => rows).length).toBeLessThan(
    after.classes.flatMap(({ rows }) => rows).length,
  )
})
