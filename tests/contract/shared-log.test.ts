import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectLocal } from '#hosts/local/client.ts'
import { Beat } from '#log/shared/beat.ts'
import { Tail } from '#log/shared/tail.ts'
import { cutNetwork } from '../support/cut-network.ts'
import { runCli, startedCli } from '../support/host.ts'
import { KEY, post, sharedTeam } from '../support/shared-team.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'

vi.mock('node:os', { spy: true })

const team = sharedTeam()
const { receive, follow, rowsOf } = team

test('deliveries to two receivers have the same ids at two followers, large bodies too', async () => {
  const [one, two] = [await receive('one'), await receive('two')]
  await follow('ana', '--from', 'oldest')
  await follow('eva', '--from', 'oldest')
  const large = Buffer.alloc(3_000_000, 'x')
  for (let i = 0; i < 12; i++) {
    const { status } = await post((i % 2 ? one : two).receiver, `same/${i}`, i === 7 ? large : `{"n":${i}}`)
    expect(status).toBe(200)
  }
  const [ana, eva] = [await rowsOf('ana', '/same/', 12), await rowsOf('eva', '/same/', 12)]
  expect(ana).toEqual(eva)
  expect(ana.map(({ url }) => url)).toEqual(Array.from({ length: 12 }, (_, i) => `/same/${i}`))
  expect(ana[7]?.size).toBe(large.byteLength)
  const { code, stdout } = await runCli(['verify', '--data', team.folder('ana')])
  expect([code, stdout]).toEqual([0, expect.stringContaining('byte for byte')])
})

test('all receivers demand a secret that a follower sets, and keep it in the database only sealed', async () => {
  const one = await receive('secret-one')
  const own = ['--log', team.world().url, '--data', team.folder('other-key'), '--receiver-port', '0']
  const other = await startedCli(['receive', ...own, '--name', 'other', '--metrics-port', '0'], {
    ACUSE_LOG_KEY: 'another one',
  })
  onTestFinished(async () => void (await other.end('SIGKILL')))
  await follow('admin')
  const set = await runCli(
    ['config', 'set', 'endpoint.default.secret', 'X-Team-Key', '--stdin', '--data', team.folder('admin')],
    { env: KEY, stdin: 'a secret of the team\n' },
  )
  expect(set).toMatchObject({ code: 0 })
  const two = await receive('secret-two')
  for (const { receiver } of [one, two]) {
    await until(
      async () => (await post(receiver, 'secret', '{}')).status,
      (status) => status === 401,
    )
    const { status } = await post(receiver, 'secret', '{}', { 'X-Team-Key': 'a secret of the team' })
    expect(status).toBe(200)
  }
  const isOutdated = async () =>
    (await (await fetch(`${other.ready.metrics}metrics`)).text()).includes('acuse_endpoints_current 0\n')
  await until(isOutdated)
  expect(other.stderr()).toContain('The endpoints stay as they were: ACUSE_LOG_KEY is not the passphrase')
  const { primary } = team.world()
  const outdated = () => primary.query('SELECT name FROM acuse.receiver WHERE outdated')
  expect(await until(outdated, ({ length }) => length > 0)).toEqual([{ name: 'other' }])
  const [stored] = await primary.query('SELECT endpoints::text, sealed FROM acuse.rules')
  expect(`${stored?.endpoints}${stored?.sealed}`).not.toContain('a secret of the team')
  const without = await runCli([
    'receive',
    '--log',
    team.world().url,
    '--data',
    team.folder('keyless'),
    '--receiver-port',
    '0',
  ])
  expect([without.code, without.stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining('ACUSE_LOG_KEY'),
  ])
  expect(without.code).not.toBe(0)
})

test('probes of a receiver tell that it is ready, and how the log is', async () => {
  const { metrics, receiver } = await receive('probed', '--metrics-port', '0')
  const readiness = await fetch(`${metrics}readyz`)
  expect([readiness.status, await readiness.json()]).toEqual([200, { ready: true }])
  await post(receiver, 'probed', '{}')
  const text = await (await fetch(`${metrics}metrics`)).text()
  expect(text).toContain('acuse_shared_log_reached 1\n')
  expect(text).toContain('acuse_single_copies 0\n')
})

const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0

test.runIf(canMount)(
  'a receiver is not ready while neither the shared log nor its full disk takes a delivery, and probes are no records',
  async () => {
    using network = await cutNetwork(team.world().primary.port)
    const mount = tempFolder()
    const node = join(tempFolder(), 'node-on-a-small-disk')
    const inMount = `mount -t tmpfs -o size=20m none "${mount}" && exec "${process.execPath}" "$@"`
    writeFileSync(node, `#!/bin/sh\nexec unshare -rm sh -c '${inMount}' sh "$@"\n`, { mode: 0o700 })
    const own = ['--log', network.url, '--data', join(mount, 'data'), '--receiver-port', '0']
    const probed = ['receive', ...own, '--metrics-port', '0', '--patience', '0.3']
    const { ready, end, stderr } = await startedCli(probed, KEY, node)
    onTestFinished(async () => void (await end('SIGKILL')))
    const secret = { 'X-Team-Key': 'a secret of the team' }
    const send = async (size: number) =>
      (await post(ready.receiver, 'full', Buffer.alloc(size, 'x'), secret)).status
    const readyz = async () => (await fetch(`${ready.metrics}readyz`)).json()
    const taken = () => team.world().primary.query('SELECT count(*) FROM acuse.record')
    const before = await taken()
    expect(await readyz()).toEqual({ ready: true })
    expect(await taken()).toEqual(before)
    network.cut()
    await until(
      () => send(1_000_000),
      (status) => status === 503,
    )
    const told = {
      ready: false,
      reason: 'store-refusing',
      message: expect.stringContaining('the disk is full'),
    }
    expect(await until(readyz, (now) => !now.ready)).toEqual(told)
    expect(stderr().split('The spill cannot be written').length).toBe(2)
    network.restore()
    await until(readyz, (now) => now.ready)
    expect(await send(1_000_000)).toBe(200)
  },
)

test('a receiver stays ready while the shared log stalls, since its spill will take deliveries', async () => {
  using network = await cutNetwork(team.world().primary.port)
  const { metrics } = await receive(
    'stalled',
    '--log',
    network.url,
    '--patience',
    '60',
    '--metrics-port',
    '0',
  )
  network.cut()
  expect(await (await fetch(`${metrics}readyz`)).json()).toEqual({ ready: true })
  network.restore()
})

test('the times of a receiver are those of the database, whatever its own clock', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const pulse = { origin: randomUUID(), name: 'skewed', address: 'http://skewed/' }
  const beat = new Beat(
    team.world().url,
    () => ({ ...pulse, singleCopies: 0, outdated: false }),
    () => {},
  )
  onTestFinished(() => beat.close())
  for (let beats = 0; beats < 2; beats++) await beat.beat()
  const late = `count(*) FILTER (WHERE least(seen_at, since, until) < now() - interval '5 minutes') AS late`
  const { primary } = team.world()
  const found = await primary.query(
    `SELECT count(*) AS spans, ${late} FROM acuse.receiver JOIN acuse.listening USING (origin) WHERE name = 'skewed'`,
  )
  expect(found).toEqual([{ spans: '1', late: '0' }])
})

test('a receiver that was stopped, or slept with its machine, did not listen meanwhile', async () => {
  const pulse = { origin: randomUUID(), name: 'slept', address: 'http://slept/' }
  const beat = new Beat(
    team.world().url,
    () => ({ ...pulse, singleCopies: 0, outdated: false }),
    () => {},
  )
  onTestFinished(() => beat.close())
  const spans = () =>
    team.world().primary.query(`SELECT since FROM acuse.listening WHERE origin = '${pulse.origin}'`)
  for (let beats = 0; beats < 2; beats++) await beat.beat()
  expect(await spans()).toHaveLength(1)
  vi.mocked(uptime).mockReturnValueOnce(uptime() + 60)
  await until(async () => (await spans()).length === 2)
})

test('status names the receivers and the days, and prune drops days only when it is told to', async () => {
  await receive('listed')
  const { primary } = team.world()
  await primary.query(`SELECT acuse.open_day('2026-01-01'); INSERT INTO acuse.receiver (origin, name, seen_at, single_copies, outdated)
    VALUES (gen_random_uuid(), 'old', now(), 0, true)`)
  const shared = async (...args: string[]) =>
    JSON.parse((await runCli(['shared', ...args, '--log', team.world().url, '--json'])).stdout)
  const status = await until(
    () => shared('status'),
    ({ receivers }) => receivers.some(({ name }: { name: string }) => name === 'listed'),
  )
  expect(status.replicated).toBe(true)
  const found = (name: string) => status.receivers.find((one: { name: string }) => one.name === name)
  expect([found('listed'), found('old')]).toMatchObject([
    { up: true, outdated: false },
    { up: false, address: null, outdated: true },
  ])
  const days = async () => (await shared('status')).days.map(({ day }: { day: string }) => day)
  const pruned = ['prune', '--before', '2026-01-02']
  expect((await shared(...pruned, '--dry-run')).dropped).toEqual(['2026-01-01'])
  expect(await days()).toContain('2026-01-01')
  expect((await shared(...pruned)).dropped).toEqual(['2026-01-01'])
  expect(await days()).not.toContain('2026-01-01')
})

test('the coverage of a follower names the receivers, and is off where none listened', async () => {
  await team.world().primary.query('DELETE FROM acuse.listening')
  const run = async (name: string, from: number, to: number) => {
    const at = (minutes: number) => `'2026-11-20T10:00:00Z'::timestamptz + interval '${minutes} minutes'`
    await team
      .world()
      .primary.query(`WITH one AS (INSERT INTO acuse.receiver (origin, name, seen_at, single_copies)
      VALUES (gen_random_uuid(), '${name}', now(), 0) RETURNING origin)
      INSERT INTO acuse.listening SELECT origin, ${at(from)}, ${at(to)} FROM one`)
  }
  await run('a', 0, 10)
  await run('b', 5, 20)
  await run('a', 30, 40)
  // Has told of itself once so far.
  await run('c', 32, 32)
  await follow('covered')
  const client = await connectLocal(team.folder('covered'))
  const base = Date.parse('2026-11-20T10:00:00Z')
  const at = (minutes: number) => base + minutes * 60_000
  const spans = await until(
    async () => (await client?.call('coverage.list', { from: at(-5), to: at(35) }))?.spans ?? [],
    (list) => list.some(({ state }) => state === 'listening'),
  )
  // A run listens up to a second longer than its last beat.
  expect(
    spans.map(({ state, from, to, receivers }) => [
      state,
      (from - base) / 1_000,
      (to - base) / 1_000,
      receivers,
    ]),
  ).toEqual([
    ['off', -300, 0, undefined],
    ['listening', 0, 300, ['a']],
    ['listening', 300, 601, ['a', 'b']],
    ['listening', 601, 1_201, ['b']],
    ['off', 1_201, 1_800, []],
    ['listening', 1_800, 1_920, ['a']],
    ['listening', 1_920, 1_921, ['a', 'c']],
    ['listening', 1_921, 2_100, ['a']],
  ])
  await client?.close()
})

test('the roles of the SQL can do their work and no more', async () => {
  const { stdout } = await runCli(['shared', 'roles'])
  await team.world().primary.query(stdout)
  await team
    .world()
    .primary.query(
      `CREATE ROLE team_r LOGIN IN ROLE acuse_receive; CREATE ROLE team_f LOGIN IN ROLE acuse_read`,
    )
  const as = (user: string) => team.world().url.replace('acuse@', `${user}@`)
  const receiver = await receive('role-r', '--log', as('team_r'))
  const { status } = await post(receiver.receiver, 'role', '{}', { 'X-Team-Key': 'a secret of the team' })
  expect(status).toBe(200)
  await follow('role-f', '--log', as('team_f'), '--from', 'oldest')
  expect(await rowsOf('role-f', '/role', 1)).toHaveLength(1)
  const refused = async (user: string, text: string) => {
    const client = new Client({
      connectionString: `postgres://${user}@127.0.0.1:${team.world().primary.port}/postgres`,
    })
    await client.connect()
    await expect(client.query(text)).rejects.toThrow('permission denied')
    await client.end()
  }
  await refused('team_r', 'SELECT payload FROM acuse.record')
  await refused('team_r', 'UPDATE acuse.rules SET version = 1')
  await refused('team_f', 'DELETE FROM acuse.record')
  const contribute = (kind: number, payload: string) =>
    `SELECT acuse.contribute(ARRAY[gen_random_uuid()], ARRAY[current_date], ARRAY[${kind}], ARRAY[0], ARRAY[${payload}])`
  await refused('team_r', contribute(7, "'{}'::bytea"))
  await refused('team_f', contribute(1, "decode(repeat('00', 100), 'hex')"))
  await refused('team_f', contribute(2, "'x'::bytea"))
  const client = await connectLocal(team.folder('role-f'))
  const [row] = await rowsOf('role-f', '/role', 1)
  await client?.call('deliveries.annotate', { ids: [row?.id ?? 0], addTags: ['by-reader'] })
  await until(
    () =>
      team
        .world()
        .primary.query(
          `SELECT 1 FROM acuse.record WHERE kind = 7 AND convert_from(payload, 'UTF8') LIKE '%by-reader%'`,
        ),
    (rows) => rows.length === 1,
  )
  const working = async () => (await client?.call('status.get', {}))?.following?.workReason
  await until(working, (reason) => reason?.includes('Grant it the role acuse_work.') ?? false)
  await team.world().primary.query('GRANT acuse_work TO team_f')
  await until(working, (reason) => reason === null)
  await client?.close()
})

test('a receiver whose network is cut answers from its spill, and the log has each delivery once', async () => {
  using network = await cutNetwork(team.world().primary.port)
  const one = await receive('cut', '--log', network.url, '--patience', '0.5')
  const secret = { 'X-Team-Key': 'a secret of the team' }
  const send = async (n: number) => (await post(one.receiver, `cut/${n}`, '{}', secret)).status
  expect(await send(1)).toBe(200)
  network.cut()
  expect([await send(2), await send(3)]).toEqual([200, 200])
  expect(one.errors()).toContain('Deliveries are kept on this machine only')
  network.restore()
  await until(one.errors, (said) => said.includes('Deliveries reach the shared log again.'))
  expect(await send(4)).toBe(200)
  await follow('after-cut', '--from', 'oldest')
  const rows = await rowsOf('after-cut', '/cut/', 4)
  expect(rows.map(({ url }) => url).sort()).toEqual(['/cut/1', '/cut/2', '/cut/3', '/cut/4'])
})

test('a record of a spill that cannot be read is named, and the others reach the log', async () => {
  const spilling = await receive('spilling', '--patience', '0.1')
  await team.world().primary.stop()
  // The secret that an earlier test has set.
  const secret = { 'X-Team-Key': 'a secret of the team' }
  for (const n of [1, 2, 3])
    expect((await post(spilling.receiver, `spill/${n}`, '{}', secret)).status).toBe(200)
  await spilling.kill()
  const spill = team.folder('spilling/receive/spill')
  const [file = ''] = readdirSync(spill)
    .map((name) => join(spill, name))
    .filter((path) => readFileSync(path).includes('/spill/2'))
  const bytes = readFileSync(file)
  const at = bytes.indexOf('/spill/2')
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  writeFileSync(file, bytes)
  await team.world().primary.start()
  const again = await receive('spilling')
  await until(again.errors, (said) => said.includes('Records 2 to 2 of the spill cannot be read'))
  const found = () =>
    team
      .world()
      .primary.query(
        "SELECT n FROM generate_series(1, 3) n WHERE EXISTS (SELECT 1 FROM acuse.record WHERE position(convert_to('/spill/' || n, 'UTF8') IN payload) > 0)",
      )
  expect((await until(found, ({ length }) => length > 0)).map(({ n }) => n)).toEqual([1, 3])
})

test('a receiver wakes a follower that waits', async () => {
  const tail = new Tail(team.world().url, 'waiting', 0)
  onTestFinished(() => tail.close())
  const { after } = await tail.begin('newest')
  tail.rewind(after)
  await tail.next(1)
  expect(await tail.announced(1)).toBe(false)
  const pulse = { origin: randomUUID(), name: 'waking', address: null, singleCopies: 0, outdated: false }
  const beat = new Beat(
    team.world().url,
    () => pulse,
    () => {},
  )
  onTestFinished(() => beat.close())
  await beat.beat()
  // As long as a test may take.
  const woken = tail.announced(600_000)
  beat.announce()
  expect(await woken).toBe(true)
})

test('a receiver says that the database has no synchronous standby, and when it has one', async () => {
  const { primary } = team.world()
  const set = async (how: string) => {
    await primary.query(`ALTER SYSTEM ${how}`)
    await primary.query('SELECT pg_reload_conf()')
  }
  await set("SET synchronous_standby_names = ''")
  onTestFinished(() => set('RESET synchronous_standby_names'))
  const one = await team.receive('alone')
  await until(() => one.errors().includes('The database has no synchronous standby'))
  await set('RESET synchronous_standby_names')
  await until(() => one.errors().includes('The database has a synchronous standby now.'))
})
