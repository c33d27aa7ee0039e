import { expect, test } from 'vitest'
import { answerHint, type Compared, changesOnTheWay } from '#core/connect/self-test.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const sent: Compared = {
  method: 'GET',
  target: '/in?x=1',
  headers: ['Host', 'a.example', 'X-Test', 'one', 'Accept', '*/*'],
  body: bytes('{ "a": 1 }\r\n'),
}

test('a body that a tunnel dropped (GET) or rewrote is told with the first byte that differs', () => {
  const told = (body: string) => changesOnTheWay(sent, { ...sent, body: bytes(body) })
  expect(told('')).toEqual([{ part: 'body', sent: 12, arrived: 0, at: 0 }])
  expect(told('{"a":1}')).toEqual([{ part: 'body', sent: 12, arrived: 7, at: 1 }])
  expect(told('{ "a": 1 }\r\n ')).toEqual([{ part: 'body', sent: 12, arrived: 13, at: 12 }])
})

test('method and target are told as they were and as they are', () =>
  expect(changesOnTheWay(sent, { ...sent, method: 'POST', target: '/' })).toEqual([
    { part: 'method', sent: 'GET', arrived: 'POST' },
    { part: 'path', sent: '/in?x=1', arrived: '/' },
  ]))

test('headers: changed, other case, removed, added', () => {
  const headers = ['host', 'a.example', 'X-Test', 'two', 'X-Forwarded-For', '192.0.2.1']
  expect(changesOnTheWay(sent, { ...sent, headers })).toEqual([
    { part: 'header', how: 'case', name: 'Host', sent: 'a.example', arrived: 'host' },
    { part: 'header', how: 'changed', name: 'X-Test', sent: 'one', arrived: 'two' },
    { part: 'header', how: 'removed', name: 'Accept', sent: '*/*', arrived: null },
    { part: 'header', how: 'added', name: 'X-Forwarded-For', sent: null, arrived: '192.0.2.1' },
  ])
})

test.each([
  [404, { 'ngrok-error-code': 'ERR_NGROK_3200' }, 'tunnel-offline'],
  [502, { 'ngrok-error-code': 'ERR_NGROK_8012' }, 'tunnel-upstream'],
  [530, { server: 'cloudflare' }, 'tunnel-offline'],
  [502, { server: 'cloudflare' }, 'tunnel-upstream'],
  [502, {}, 'gateway'],
  [301, {}, 'redirect'],
  [403, {}, 'protected'],
  [200, {}, 'other-server'],
] as const)('an answer %i of somebody else with %j points to: %s', (status, headers, hint) =>
  expect(answerHint(status, (name) => (headers as Record<string, string>)[name] ?? null)).toBe(hint),
)
