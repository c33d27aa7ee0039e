import { expect, test } from 'vitest'
import { concerns, phasesOf } from '@/shared/attempts/attempt-view.tsx'
import { errorFacts, outcomeText } from '@/shared/attempts/attempt-words.ts'
import { merged } from '@/shared/live/newest-rows.ts'

test.each([
  [{ host: '127.0.0.1', port: 3000, reason: 'ECONNREFUSED' }, '127.0.0.1:3000', 'ECONNREFUSED'],
  [{ host: '::1', port: 3000 }, '[::1]:3000', null],
  [{ host: 'example.com', reason: 'unknown' }, 'example.com', null],
  [{ proxy: 'http://proxy:8080', host: 'x' }, 'http://proxy:8080', null],
  [{ target: 'app' }, 'app', null],
  [{}, null, null],
])('a failure with %j happened at %s, in the system’s own word %s', (params, where, reason) =>
  expect(errorFacts({ code: 'connection-refused', message: '', params })).toEqual({ where, reason }),
)

const ERROR = { code: 'own-receiver', message: '', params: {} } as const
test.each([
  [{ status: 418 }, '418'],
  [{ status: 200, error: ERROR }, '200'],
  [{ error: ERROR }, '<errorWords.own-receiver>'],
  [{ state: 'sending' }, '<attempts.sending>'],
  [{ state: 'uncertain' }, '<attempts.uncertain>'],
] as const)('among choices the outcome %j is %s, never a code of the contract', (part, text) => {
  const row = { status: null, error: null, state: 'failed', ...part } as const
  expect(outcomeText(row, (key) => `<${key}>`)).toBe(text)
})

const NOTHING = { jobs: [], forwards: null, deliveries: [], more: false } as const
const JOB = { id: 7 } as never
test.each([
  ['the deliveries it names', { ...NOTHING, deliveries: [3, 4] }, { delivery: 4 }, true],
  ['no others', { ...NOTHING, deliveries: [3] }, { delivery: 4 }, false],
  ['every one where there were more', { ...NOTHING, deliveries: [3], more: true }, { delivery: 4 }, true],
  ['everything when it was missed', null, { delivery: 1 }, true],
  ['a job that changed', { ...NOTHING, jobs: [JOB] }, { job: 7 }, true],
  ['no job by its deliveries', { ...NOTHING, jobs: [JOB], deliveries: [1] }, { job: 8 }, false],
])('a push concerns %s', (_, changed, of, concerned) => expect(concerns(changed, of)).toBe(concerned))

test('what was read again replaces what it covers, and older rows stay where it reaches them', () => {
  const page = (ids: readonly number[], next: number | null) => ({ rows: ids.map((id) => ({ id })), next })
  const known = page([5, 4, 3, 2], 2)
  expect(merged(known, page([6, 5, 4], 4))).toEqual(page([6, 5, 4, 3, 2], 2))
  for (const alone of [page([9, 8], 8), page([6], null), page([], null)])
    expect(merged(known, alone)).toBe(alone)
})

const NONE = { lookupUs: null, connectUs: null, tlsUs: null, sendUs: null, waitUs: null, receiveUs: null }
test('only the phases that happened are drawn, in order, with their share; too short ones share the bar', () => {
  expect(phasesOf({ ...NONE, receiveUs: 25, connectUs: 75 })).toEqual([
    { phase: 'connect', us: 75, share: 75 },
    { phase: 'receive', us: 25, share: 25 },
  ])
  expect(phasesOf({ ...NONE, sendUs: 0, waitUs: 0 }).map(({ share }) => share)).toEqual([50, 50])
  expect(phasesOf(NONE)).toEqual([])
})
