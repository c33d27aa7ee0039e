import fc from 'fast-check'
import { expect, it } from 'vitest'
import { workingSince } from '#core/alerts/hours.ts'
import {
  type AlertMemory,
  due,
  type Message,
  MOST_WAITING,
  observed,
  QUIET,
  RETRY_AFTER,
  tried,
} from '#core/alerts/incidents.ts'
import { forAll } from '../../../support/for-all.ts'

const CONNECTIONS = [null, 'erp', 'pos'] as const
const NO_ANSWER = { code: 'connection-refused', message: 'no answer', params: {} } as const
const steps = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constant('observe' as const),
      wrong: fc.boolean(),
      worse: fc.boolean(),
      connection: fc.constantFrom(...CONNECTIONS),
    }),
    fc.record({ type: fc.constant('send' as const), ok: fc.boolean() }),
    fc.record({ type: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 2_000_000 }) }),
    fc.record({ type: fc.constant('restart' as const) }),
  ),
  { maxLength: 200 },
)

it('incidents: one message when each opens and one when it is over, in order, over restarts and with a receiver that fails', () => {
  forAll(2_000, [steps], (all) => {
    let memory: AlertMemory = QUIET
    let [now, next] = [0, 1]
    const told: Message[] = []
    /** What an observer who forgets nothing expects, whether it got through or not. */
    const expected: string[] = []
    const open = new Map<string | null, number>()
    for (const step of all) {
      now += 1
      if (step.type === 'wait') now += step.ms
      if (step.type === 'restart') memory = JSON.parse(JSON.stringify(memory))
      if (step.type === 'observe') {
        const { wrong, worse, connection } = step
        memory = observed(memory, { wrong, worse, count: 1, connection }, now, next)
        const present = open.get(connection)
        if (wrong && (present === undefined || worse)) {
          open.set(connection, next)
          expected.push(`${next} opened`)
          next += 1
        } else if (!wrong && present !== undefined) {
          open.delete(connection)
          expected.push(`${present} recovered`)
        }
      }
      const message = due(memory, now)
      if (step.type === 'send' && message) {
        if (step.ok) told.push(message)
        memory = tried(memory, message, step.ok ? null : NO_ANSWER, now)
      }
      expect(memory.open.map(({ incident }) => incident).toSorted()).toEqual([...open.values()].toSorted())
      expect(memory.outbox.length).toBeLessThanOrEqual(MOST_WAITING)
      expect(memory.nextTryAt - now).toBeLessThanOrEqual(Math.max(...RETRY_AFTER))
      expect(told.length + memory.discarded + memory.outbox.length).toBe(expected.length)
    }
    const names = [...told, ...memory.outbox].map(({ incident, event }) => `${incident} ${event}`)
    expect(expected.filter((one) => names.includes(one))).toEqual(names)
    expect(new Set(names).size).toBe(names.length)
  })
})

it('a message that never gets through is tried six times within half an hour, then given up and counted', () => {
  let memory = observed(QUIET, { wrong: true, count: 1, connection: null }, 0, 1)
  const at: number[] = []
  for (let now = 0; now < 3_600_000; now += 1_000) {
    const message = due(memory, now)
    if (!message) continue
    at.push(now)
    memory = tried(memory, message, NO_ANSWER, now)
  }
  expect(at).toHaveLength(RETRY_AFTER.length + 1)
  expect(at.at(-1)).toBeLessThan(1_800_000)
  expect(memory).toMatchObject({ outbox: [], discarded: 1, lastFailure: NO_ANSWER })
  expect(memory.open).toHaveLength(1)
})

const SANTO_DOMINGO = { zone: 'America/Santo_Domingo', weekdays: ['mon', 'fri'] as const }
const NEW_YORK = { zone: 'America/New_York', weekdays: ['sat', 'sun'] as const }
const between = (
  from: string,
  to: string,
  where: typeof SANTO_DOMINGO | typeof NEW_YORK = SANTO_DOMINGO,
) => ({
  ...where,
  ...{ from, to },
})
it.each([
  // 2026-11-27 is a Friday; Santo Domingo is at -04:00.
  ['within', between('08:00', '18:00'), '2026-11-27T12:30:00Z', '2026-11-27T12:00:00.000Z'],
  ['before', between('08:00', '18:00'), '2026-11-27T11:59:59Z', null],
  ['after', between('08:00', '18:00'), '2026-11-27T22:00:00Z', null],
  ['another day', between('08:00', '18:00'), '2026-11-26T14:00:00Z', null],
  ['the night', between('22:00', '06:00'), '2026-11-28T08:00:00Z', '2026-11-28T02:00:00.000Z'],
  ['all day', between('00:00', '00:00'), '2026-11-28T03:59:00Z', '2026-11-27T04:00:00.000Z'],
  // Clocks go back at 06:00 UTC: the hours have the length that the clock shows.
  ['clocks go back', between('08:00', '09:00', NEW_YORK), '2026-11-01T13:30:00Z', '2026-11-01T13:00:00.000Z'],
])('working hours: %s', (_, hours, at, since) => {
  const found = workingSince(hours, Date.parse(at))
  expect(found === null ? null : new Date(found).toISOString()).toBe(since)
})
