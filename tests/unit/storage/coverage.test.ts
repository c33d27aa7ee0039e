import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { CoverageLog } from '#storage/facade/coverage-log.ts'
import { CAPTURED_MIGRATIONS } from '#storage/schema/captured.ts'
import { Statements } from '#storage/sql/connection.ts'
import { migrate } from '#storage/sql/open-own.ts'
import {
  enterState,
  extendTo,
  forgetJump,
  noteAbsence,
  noteHole,
  replaceSpans,
} from '#storage/writer/coverage.ts'

function stretches() {
  const db = new DatabaseSync(':memory:')
  migrate(db, ':memory:', CAPTURED_MIGRATIONS)
  const statements = new Statements(db)
  const list = () =>
    db
      .prepare('SELECT state, from_ms, to_ms FROM coverage ORDER BY id')
      .all()
      .map((row) => [row.state, row.from_ms, row.to_ms])
  return { statements, list }
}

test('a crash leaves a stretch that ends at the last beat, and what follows is off (ports: Coverage)', () => {
  const { statements, list } = stretches()
  enterState(statements, 'listening', 1_000)
  extendTo(statements, 6_000)
  noteHole(statements, 'off', 20_000, false)
  enterState(statements, 'listening', 20_500)
  expect(list()).toEqual([
    ['listening', 1_000, 6_000],
    ['off', 6_000, 20_500],
    ['listening', 20_500, 20_500],
  ])
})

test('an update lasts until the next version starts', () => {
  const { statements, list } = stretches()
  enterState(statements, 'listening', 1_000)
  enterState(statements, 'update', 6_000)
  noteAbsence(statements, 20_000)
  enterState(statements, 'starting', 20_500)
  expect(list()).toEqual([
    ['listening', 1_000, 6_000],
    ['update', 6_000, 20_500],
    ['starting', 20_500, 20_500],
  ])
})

test('what arrived after the last beat before a crash shows that it was listening until then', () => {
  const { statements, list } = stretches()
  const arrive = (id: number, at: number, synthetic = 0) =>
    statements
      .get(
        `INSERT INTO delivery (id, received_at, receiving_us, endpoint, method, url, http_version, remote_address, remote_port, size,
         stored_bytes, rejected, synthetic) VALUES (?, ?, 0, 'default', 'POST', '/', '1.1', '::1', 1, 0, 0, 0, ?)`,
      )
      .run(id, at * 1000 + 1, synthetic)
  enterState(statements, 'listening', 1_000)
  arrive(1, 3_500)
  arrive(2, 19_000, 1)
  noteAbsence(statements, 20_000)
  expect(list()).toEqual([
    ['listening', 1_000, 3_501],
    ['off', 3_501, 20_000],
  ])
  // Neither earlier records nor records that a wrong clock dated in the future prove later coverage.
  enterState(statements, 'listening', 30_000)
  arrive(3, 90_000)
  noteAbsence(statements, 40_000)
  expect(list().slice(-2)).toEqual([
    ['listening', 30_000, 30_000],
    ['off', 30_000, 40_000],
  ])
})

test('a clock that was set back makes no overlap', () => {
  const { statements, list } = stretches()
  enterState(statements, 'listening', 5_000)
  extendTo(statements, 9_000)
  enterState(statements, 'off', 4_000)
  noteHole(statements, 'off', 3_000, false)
  expect(list()).toEqual([
    ['listening', 5_000, 9_000],
    ['off', 9_000, 9_000],
  ])
})

function logOver() {
  const { statements, list } = stretches()
  const clock = { now: 1_000, fails: false }
  const guarded = (work: () => void) =>
    clock.fails ? Promise.reject(new Error('full')) : Promise.resolve(work())
  const log = new CoverageLog({
    writer: {
      cover: (state, at) => guarded(() => enterState(statements, state, at)),
      beat: (at, since) =>
        guarded(() => {
          if (since === null) extendTo(statements, at)
          else noteHole(statements, 'asleep', at, true)
        }),
      clockBack: (ahead) => guarded(() => forgetJump(statements, ahead)),
      replaceCoverage: (spans) => guarded(() => replaceSpans(statements, spans)),
    },
    reader: {
      coverage: async () =>
        list().map(([state, from, to]) => ({
          state: state === 'listening' ? 'listening' : state === 'asleep' ? 'asleep' : 'off',
          from: Number(from),
          to: Number(to),
        })),
    },
    now: () => clock.now,
  })
  onTestFinished(() => log.close())
  const beat = (at: number) => {
    clock.now = at
    return log.beat()
  }
  const lose = () => statements.get('DELETE FROM coverage').run()
  return { log, clock, beat, list, lose }
}

test('a beat that comes more than 15 s late while the process lives means that the machine slept', async () => {
  const { log, beat, list } = logOver()
  await log.enter('listening')
  await beat(6_000)
  await beat(3_606_000)
  expect(list()).toEqual([
    ['listening', 1_000, 6_000],
    ['asleep', 6_000, 3_606_000],
    ['listening', 3_606_000, 3_606_000],
  ])
})

test('a clock that was ahead for a while leaves no sleep behind, in the past or ahead of it', async () => {
  const { log, clock, beat, list } = logOver()
  await log.enter('listening')
  await beat(6_000)
  await beat(86_406_000)
  await beat(86_411_000)
  clock.fails = true
  await beat(16_000)
  clock.fails = false
  await beat(21_000)
  await beat(26_000)
  expect(list()).toEqual([
    ['listening', 1_000, 21_000],
    ['listening', 21_000, 26_000],
  ])
})

test('what the database cannot take is written with a later beat, at its own time', async () => {
  const { log, clock, beat, list } = logOver()
  clock.fails = true
  await log.enter('listening')
  clock.now = 3_000
  await log.enter('port-lost')
  expect(list()).toEqual([])
  clock.fails = false
  await beat(5_000)
  expect(list()).toEqual([
    ['listening', 1_000, 3_000],
    ['port-lost', 3_000, 5_000],
  ])
})

test('the present stretch reaches up to now, and a list is cut to what was asked for', async () => {
  const { log, clock } = logOver()
  await log.enter('listening')
  clock.now = 4_500
  expect(await log.list(2_000, 10_000)).toEqual([{ state: 'listening', from: 2_000, to: 4_500 }])
  expect(await log.list(2_000, 3_000)).toEqual([{ state: 'listening', from: 2_000, to: 3_000 }])
})

test('a record that begins anew has the present stretch from its beginning, or from when the machine awoke last', async () => {
  const { log, clock, beat, list, lose } = logOver()
  await log.enter('listening')
  clock.now = 4_000
  lose()
  await log.beginAnew()
  await beat(6_000)
  expect(list()).toEqual([['listening', 1_000, 6_000]])
  await beat(3_606_000)
  clock.now = 3_610_000
  lose()
  await log.beginAnew()
  await log.beat()
  expect(list()).toEqual([['listening', 3_606_000, 3_610_000]])
})
