import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFollowed } from '#hosts/follower.ts'
import { connectLocal } from '#hosts/local/client.ts'
import { ROLES } from '#log/shared/schema.ts'
import { overwrite, PAGE, rootOf } from '../reliability/damage-rounds.ts'
import { cutNetwork } from '../support/cut-network.ts'
import { runCli, startedCli } from '../support/host.ts'
import { memorySettings } from '../support/memory-settings.ts'
import { KEY, post, sharedTeam } from '../support/shared-team.ts'
import { aDelivery, openTestStore } from '../support/store.ts'
import { until } from '../support/until.ts'

const team = sharedTeam()
const { receive, follow, serve, rowsOf, said } = team
/** Stored in pieces. */
const LARGE = Buffer.alloc(3_000_000, 'x')

test('a note, tag and pin of one follower reach the other, and what both change the same', async () => {
  const one = await receive('noted')
  await follow('ana-notes')
  await follow('eva-notes')
  await post(one.receiver, 'noted', '{}')
  const [first] = await rowsOf('ana-notes', '/noted', 1)
  const id = first?.id ?? 0
  await rowsOf('eva-notes', '/noted', 1)
  const [ana, eva] = await Promise.all(
    ['ana-notes', 'eva-notes'].map((name) => connectLocal(team.folder(name))),
  )
  await ana?.call('deliveries.annotate', { ids: [id], note: 'Asked Luz', addTags: ['open'] })
  await ana?.call('deliveries.pin', { ids: [id], pinned: true })
  const detail = () => eva?.call('deliveries.get', { id })
  const seen = await until(
    detail,
    (found) => found?.noteText?.text === 'Asked Luz' && found.marks.includes('pinned'),
  )
  expect([seen?.tags, seen?.noteText?.author]).toEqual([['open'], expect.stringContaining(hostname())])
  await Promise.all([
    ana?.call('deliveries.annotate', { ids: [id], note: 'by Ana', addTags: ['ana'] }),
    eva?.call('deliveries.annotate', { ids: [id], note: 'by Eva', removeTags: ['open'], addTags: ['eva'] }),
  ])
  const [atAna, atEva] = await until(
    () => Promise.all([said('ana-notes', id), said('eva-notes', id)]),
    ([a, e]) => a?.note === e?.note && a?.tags.length === 2 && e?.tags.length === 2,
  )
  expect(atAna).toEqual(atEva)
  expect(atAna).toMatchObject({ tags: ['ana', 'eva'], pinned: true })
  await Promise.all([ana?.close(), eva?.close()])
})

test('a note made while no follower runs is kept, and sent once by the next follower of the folder', async () => {
  const one = await receive('offline')
  const first = await follow('ana-offline')
  await follow('eva-offline')
  await post(one.receiver, 'offline', '{}')
  const [row] = await rowsOf('ana-offline', '/offline', 1)
  await first.kill()
  const id = row?.id ?? 0
  const noted = await runCli([
    'annotate',
    String(id),
    '--note',
    'later',
    '--data',
    team.folder('ana-offline'),
  ])
  expect(noted).toMatchObject({ code: 0 })
  const { primary } = team.world()
  const stored = () =>
    primary.query(
      `SELECT 1 FROM acuse.record WHERE kind = 7 AND convert_from(payload, 'UTF8') LIKE '%"later"%'`,
    )
  const places = async () => Number((await primary.query('SELECT last_value AS n FROM acuse.place'))[0]?.n)
  await primary.withClient(async (open) => {
    // Until this ends, no follower reads the note back, so the next run sends it again.
    await open.query('BEGIN; SELECT acuse.take(1)')
    const again = await follow('ana-offline')
    await until(async () => (await stored()).length > 0)
    await again.kill()
    const before = await places()
    await follow('ana-offline')
    await until(async () => (await places()) > before)
    await open.query('ROLLBACK')
  })
  await until(
    () => said('eva-offline', id),
    ({ note }) => note === 'later',
  )
  expect(await said('ana-offline', id)).toMatchObject({ note: 'later' })
  expect(await stored()).toHaveLength(1)
})

test('a rebuilt event of one follower has the same id at all, and no other delivery gets in', async () => {
  const own = { settings: memorySettings(), secrets: { get: async () => undefined, set: async () => {} } }
  const warnings: string[] = []
  const followed = await openFollowed(
    {
      url: team.world().url,
      name: 'rebuilding',
      origin: randomUUID(),
      passphrase: KEY.ACUSE_LOG_KEY,
      from: undefined,
    },
    own,
    (warning) => warnings.push(warning),
    () => {},
  )
  await using test = await openTestStore(undefined, { mirrors: { author: 'ana', log: followed.log } })
  await followed.follow(test.store, test.folder)
  const { id } = await test.store.capture.append(aDelivery({ url: '/rebuilt', synthetic: true }))
  expect(await test.store.deliveries.get(id)).toMatchObject({ url: '/rebuilt', marks: ['synthetic'] })
  await follow('seeing', '--from', 'oldest')
  expect((await rowsOf('seeing', '/rebuilt', 1)).map((row) => row.id)).toEqual([id])
  await expect(test.store.capture.append(aDelivery())).rejects.toMatchObject({ code: 'store-failed' })
  await followed.close()
  expect(warnings).toEqual([])
})

test('an empty folder follows a log by command, receives nothing more, and has its deliveries after a restart', async () => {
  const name = 'by-command'
  const other = await receive('before-command')
  await post(other.receiver, 'before-command', '{}')
  const own = await serve(name)
  const client = await connectLocal(team.folder(name))
  const place = { log: team.world().url, password: 'a pass/word' }
  expect(await client?.call('source.test', place)).toMatchObject({ replicated: true })
  await expect(client?.call('source.test', { log: 'postgres://a@127.0.0.1:1/x' })).rejects.toThrow(
    'cannot be reached',
  )
  expect(await client?.call('source.get', {})).toMatchObject({ log: null, mayFollow: true })
  const source = await client?.call('source.follow', { ...place, from: 'oldest' })
  expect(source).toMatchObject({ log: team.world().url, from: 'oldest', restart: true, reason: null })
  await expect(post(own.receiver, 'refused', '{}')).rejects.toThrow()
  await client?.close()
  await own.kill()
  expect(statSync(join(team.folder(name), 'secrets.json')).mode & 0o077).toBe(0)
  await serve(name)
  expect(await rowsOf(name, '/before-command', 1)).toHaveLength(1)
  expect(await rowsOf(name, '/refused', 0)).toEqual([])
})

test('a folder that followed by a command goes on by another one, and so does its backup', async () => {
  const first = await follow('went-on')
  const one = await receive('going-on')
  await post(one.receiver, 'went-on/1', '{}')
  await rowsOf('went-on', '/went-on', 1)
  // The address is kept once the log has answered.
  await until(() => existsSync(join(team.folder('went-on'), 'secrets.json')))
  await first.kill()
  const copied = await runCli(['backup', team.folder('copy'), '--data', team.folder('went-on')])
  expect(copied).toMatchObject({ code: 0 })
  await post(one.receiver, 'went-on/2', '{}')
  for (const name of ['went-on', 'copy']) {
    const served = await serve(name)
    expect(served.receiver).toBeNull()
    expect((await rowsOf(name, '/went-on', 2)).map(({ url }) => url)).toEqual(['/went-on/1', '/went-on/2'])
    await served.kill()
  }
  rmSync(join(team.folder('copy'), 'secrets.json'))
  await expect(serve('copy')).rejects.toThrow('follows a shared log')
})

test('a folder that follows goes on with the beginning that it has, and refuses another one', async () => {
  const first = await follow('begun', '--from', 'oldest')
  await first.kill()
  const again = await follow('begun', '--from', 'oldest')
  await again.kill()
  await expect(follow('begun', '--from', '2026-11-01')).rejects.toThrow(
    /follows the shared log from oldest on.*Leave out --from/,
  )
})

test('a follower whose role is taken away says what it lacks, and goes on once it has it again', async () => {
  const { primary } = team.world()
  await primary.query(ROLES)
  await primary.query('CREATE ROLE reader LOGIN IN ROLE acuse_work')
  const one = await receive('for-roles')
  const { errors } = await follow('roles', '--log', team.world().url.replace('acuse@', 'reader@'))
  await primary.query('REVOKE acuse_work FROM reader')
  const lacks =
    'The user of the database lacks a right (permission denied for schema acuse). Grant it the role'
  for (const what of ['The shared log cannot be followed', 'No automatic work here'])
    await until(errors, (said) => said.includes(`${what}: ${lacks}`))
  await post(one.receiver, 'roles', '{}')
  await primary.query('GRANT acuse_work TO reader')
  expect(await rowsOf('roles', '/roles', 1)).toHaveLength(1)
})

test('a follower ends at once in the middle of a read over a slow network', async () => {
  const { primary } = team.world()
  using network = await cutNetwork(primary.port, 100)
  const one = await receive('large')
  await post(one.receiver, 'slow', LARGE)
  const slow = await follow('slow', '--name', 'slow', '--log', network.url, '--from', 'oldest')
  const reads = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'slow' AND query LIKE '%octet_length%' AND state = 'active'`
  await until(async () => (await primary.query(reads)).length > 0)
  expect([await slow.end('SIGTERM'), slow.errors()]).toEqual([0, ''])
})

test('a folder with deliveries of its own does not follow', async () => {
  const own = team.folder('own')
  const { ready, end } = await startedCli(['serve', '--data', own, '--receiver-port', '0', '--no-ui'])
  await post(ready.receiver, 'own', '{}')
  await end('SIGTERM')
  const { code, stderr } = await runCli(['follow', '--log', team.world().url, '--data', own, '--no-ui'])
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining('deliveries of its own')])
})

const gone = (file: string) => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}
const firstPage = (file: string) => overwrite(file, 0, Buffer.alloc(PAGE))
const notes = (file: string) => overwrite(file, rootOf(file, 'note'), Buffer.alloc(PAGE))

test.each<[damage: string, place: (file: string) => void, running: boolean, saved: boolean]>([
  ['its first page is lost', firstPage, false, true],
  ['its notes are damaged while Acuse runs', notes, true, true],
  ['it is deleted', gone, false, false],
])(
  'a follower whose database is lost copies all again, once: %s',
  { tags: 'long' },
  async (why, place, running, saved) => {
    const name = why.replaceAll(' ', '-')
    const folder = team.folder(name)
    const { receiver } = await receive(`${name}-receiver`)
    const begun = await follow(name)
    const send = async (from: number, to: number) => {
      for (let n = from; n < to; n++) await post(receiver, `${name}/${n}`, n === 5 ? LARGE : `{"n":${n}}`)
    }
    await send(0, 20)
    const before = await rowsOf(name, `/${name}`, 20)
    const [sent = 0, waits = 0, trashed = 0] = before.map(({ id }) => id)
    const client = await connectLocal(folder)
    await client?.call('deliveries.trash', { ids: [trashed] })
    await client?.call('deliveries.annotate', { ids: [sent], note: 'sent' })
    await client?.close()
    const changesOf = async (id: number) => {
      const about = `position(convert_to('"delivery":${id},', 'UTF8') IN payload) > 0`
      return (await team.world().primary.query(`SELECT 1 FROM acuse.record WHERE kind = 7 AND ${about}`))
        .length
    }
    await until(() => changesOf(sent))
    await (running ? begun.end('SIGTERM') : begun.kill())
    const annotate = () => runCli(['annotate', String(waits), '--note', 'waits', '--data', folder])
    let noted = running ? null : await annotate()
    const again = running && (await follow(name))
    place(join(folder, 'captured.db'))
    await send(20, 22)
    // The notes are read now.
    noted ??= await annotate()
    const { errors } = again || (await follow(name))
    await until(errors, (told) => told.includes('captured.db was lost'))
    expect(errors()).toContain(saved ? '1 deliveries of the trash' : 'so they are lost')
    const kept = before.filter(({ id }) => !saved || id !== trashed)
    const after = await rowsOf(name, `/${name}`, kept.length + 2)
    const plain = (rows: typeof after) => rows.map(({ id, url, size }) => ({ id, url, size }))
    expect(plain(after.slice(0, -2))).toEqual(plain(kept))
    expect(after.slice(-2).map(({ url }) => url)).toEqual([`/${name}/20`, `/${name}/21`])
    expect(errors()).not.toContain('refuses delivery')
    // The damage may be met before the note is written.
    const rescued = saved && noted.code === 0
    for (const [id, note] of [
      [sent, 'sent'],
      [waits, rescued ? 'waits' : null],
    ] as const)
      await until(
        () => said(name, id),
        (found) => found.note === note,
      )
    expect(await changesOf(waits)).toBe(rescued ? 1 : 0)
    const { code, stdout } = await runCli(['verify', '--data', folder])
    expect([code, stdout]).toEqual([0, expect.stringContaining('byte for byte')])
  },
)
