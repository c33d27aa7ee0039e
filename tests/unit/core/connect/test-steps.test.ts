import { expect, test } from 'vitest'
import type { ConnectTest } from '#contract/connect.ts'
import { isProven, testSteps } from '#core/connect/test-steps.ts'

const none = { lookupUs: null, connectUs: null, tlsUs: null, sendUs: null, waitUs: null, receiveUs: null }
type Arrival = NonNullable<ConnectTest['arrival']>
const base: ConnectTest = {
  ...{ url: 'https://a.example/', method: 'POST', at: 0, outcome: 'arrived', address: '192.0.2.1:443' },
  timings: { ...none, lookupUs: 1_000, connectUs: 2_000, tlsUs: 3_000, sendUs: 40, waitUs: 5_000 },
  ...{ error: null, certificate: null },
  answer: { status: 200, statusText: 'OK', server: null, location: null, text: '', hint: null },
  arrival: {
    ...{ id: 1, afterMs: 9, endpoint: 'default', remoteAddress: '127.0.0.1', rejected: false, status: 200 },
    changes: [],
  },
}
const names = (test: ConnectTest) => testSteps(test).map(({ step, state }) => `${step} ${state}`)
const arrival = (change: Partial<Arrival>) => base.arrival && { ...base.arrival, ...change }

test('a delivery that arrives as it was sent proves the way, step by step', () => {
  expect(names(base)).toEqual(['lookup good', 'connect good', 'tls good', 'arrived good', 'changes good'])
  expect(isProven(base)).toBe(true)
})

test('what proxies add, or say of the hop, is a note; a body, a path, or a header that is gone is a problem', () => {
  const added = { part: 'header', how: 'added', name: 'Via', sent: null, arrived: '1.1 x' } as const
  const host = { part: 'header', how: 'changed', name: 'Host', sent: 'a', arrived: 'b' } as const
  const gone = { part: 'header', how: 'removed', name: 'X-Key', sent: 'a', arrived: null } as const
  const body = { part: 'body', sent: 9, arrived: 0, at: 0 } as const
  const of = (changes: Arrival['changes']) => ({ ...base, arrival: arrival({ changes }) })
  expect([names(of([added, host])).at(-1), isProven(of([added, host]))]).toEqual(['changes note', true])
  for (const change of [gone, body]) expect(isProven(of([added, change]))).toBe(false)
})

test('a certificate that checking senders refuse is a problem though the test went on', () => {
  const certificate = { code: 'tls', message: '', params: { reason: 'self-signed' } } as const
  expect(names({ ...base, certificate })).toContain('certificate bad')
  expect(isProven({ ...base, certificate })).toBe(false)
})

test('an answer that is not the receiver’s own is a problem', () =>
  expect(names({ ...base, arrival: arrival({ status: 201 }) })).toContain('answer bad'))

test('a rejected test is a way that works', () => {
  const rejected = {
    ...base,
    arrival: arrival({ rejected: true, status: 401 }),
    answer: base.answer && { ...base.answer, status: 401 },
  }
  expect(names(rejected)).toContain('arrived note')
  expect(isProven(rejected)).toBe(true)
})

test('somebody else, nobody, and no way at all are told apart', () => {
  const away = { ...base, arrival: null }
  expect(names({ ...away, outcome: 'elsewhere' }).slice(-2)).toEqual(['elsewhere bad', 'missing bad'])
  const error = { code: 'timeout', message: 'late', params: {} } as unknown as ConnectTest['error']
  const silent = { ...away, answer: null, error }
  expect(names({ ...silent, outcome: 'lost' }).slice(-2)).toEqual(['failed bad', 'missing bad'])
  const unsent = { ...silent, timings: none, address: null }
  expect(names({ ...unsent, outcome: 'unreachable' })).toEqual(['failed bad'])
  expect(testSteps({ ...unsent, error: null, outcome: 'receiver-off' })).toEqual([])
})
