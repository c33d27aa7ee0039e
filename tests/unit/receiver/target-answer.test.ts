import { expect, test, vi } from 'vitest'
import type { TargetAnswer } from '#core/ports.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { aFault } from '../../support/records.ts'
import { type Circumstances, faulty, sender } from './rig.ts'

const GIVEN: TargetAnswer = {
  target: 'erp',
  status: 418,
  headers: ['x-From', 'erp', 'X-From', '\xe9', 'Date', 'Sat, 21 Nov 2026 12:00:00 GMT'],
  body: Buffer.from('taza'),
}

async function forwarding(
  given: (id: number) => Promise<TargetAnswer | null> = async () => GIVEN,
  circumstances: Circumstances = {},
) {
  const replays = { answers: vi.fn(() => true), answerFor: vi.fn(given) }
  const made = await faulty([], { ...circumstances, replays })
  const send = (target = '/', method = 'POST') =>
    raw(made, requestBytes(method, target, method === 'HEAD' ? '' : '{}'), { head: method === 'HEAD' })
  return { ...made, replays, send }
}

const BY = { by: 'target', target: 'erp' }

test('a forward’s target answers the service: with its status, headers and body; framing is the receiver’s, and what went out is kept', async () => {
  const { capture, send } = await forwarding()
  const [answer] = (await send()).answers
  expect(answer?.status).toBe(418)
  const headers = [...GIVEN.headers, 'Content-Length', '4']
  expect(answer?.headers.slice(0, 8)).toEqual(headers)
  expect(answer?.headers.filter((name) => name.toLowerCase() === 'date').length).toBe(1)
  expect(answer?.body.toString()).toBe('taza')
  expect(capture.deliveries[0]?.answer?.status).toBe(201)
  const instead = { by: BY, answer: { status: 418, headers, body: Buffer.from('taza') } }
  expect(capture.took).toEqual([{ id: 1, tookUs: expect.any(Number), instead }])
})

test('a forward’s target answers the service: framing and controls that would break the answer apart are left out', async () => {
  const framing = ['Content-Length', '99', 'transfer-encoding', 'chunked']
  const headers = [...framing, 'X-B', 'a\r\nb', 'X C', 'd', 'X-Good', 'e']
  const { send, capture } = await forwarding(async () => ({ ...GIVEN, headers }))
  const { answers, bytes } = await send()
  expect(answers[0]?.headers.slice(0, 4)).toEqual(['X-Good', 'e', 'Content-Length', '4'])
  expect(bytes.toString('latin1').endsWith('\r\n\r\ntaza')).toBe(true)
  expect(capture.took[0]?.instead?.answer?.headers).toEqual(['X-Good', 'e', 'Content-Length', '4'])
})

test('a forward’s target answers the service: 204 and 304 have no body; to HEAD a length would be a guess', async () => {
  for (const status of [204, 304]) {
    const { send } = await forwarding(async () => ({ ...GIVEN, status }))
    const { bytes } = await send()
    expect(bytes.toString('latin1')).toMatch(/^HTTP\/1\.1 [23]04 (?!.*Content-Length).*\r\n\r\n$/s)
  }
  const { send, statuses } = await forwarding(async () => ({ ...GIVEN, headers: [], body: Buffer.alloc(0) }))
  expect((await send('/', 'HEAD')).bytes.toString('latin1')).not.toMatch(/content-length|transfer-encoding/i)
  const two = Buffer.concat([requestBytes('HEAD', '/', ''), requestBytes('HEAD', '/', '')])
  expect(await statuses(two, { head: true, answers: 2 })).toEqual([418, 418])
})

test('a forward’s target answers the service: after the delivery is stored, and under its id', async () => {
  const { capture, replays, send } = await forwarding()
  const release = capture.hold()
  const sending = send()
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(replays.answerFor).not.toHaveBeenCalled()
  release()
  await sending
  expect(replays.answerFor.mock.calls).toEqual([[1]])
})

test('a forward’s target answers the service: answers to pipelined deliveries keep their order', async () => {
  const { statuses } = await forwarding(async (id) => {
    await new Promise((resolve) => setTimeout(resolve, 80 - 30 * id))
    return { ...GIVEN, status: 400 + id }
  })
  const two = Buffer.concat([1, 2].map((n) => requestBytes('POST', `/${n}`, '{}')))
  expect(await statuses(two, { answers: 2 })).toEqual([401, 402])
})

test('a forward’s target answers the service: the endpoint’s delay counts as before, the target’s time being part of it', async () => {
  const { send } = await forwarding(undefined, { answer: { delayMs: 120 } })
  const sentAt = performance.now()
  expect((await send()).answers[0]?.status).toBe(418)
  expect(performance.now() - sentAt).toBeGreaterThanOrEqual(115)
})

test.each([
  ['no forward gives one', async () => null, {}],
  ['sending it fails', () => Promise.reject(new Error('the thread ended')), {}],
  ['nothing comes at all', () => new Promise<null>(() => {}), { target: 60 }],
  ['HTTP cannot pass it on', async () => ({ ...GIVEN, status: 101 }), {}],
])('the endpoint’s own answer goes out: when %s', async (_why, given, times) => {
  const { capture, send, warnings } = await forwarding(given, { times })
  expect((await send()).answers[0]).toMatchObject({ status: 201, body: Buffer.from('gracias') })
  expect(capture.took).toEqual([{ id: 1, tookUs: expect.any(Number) }])
  expect(warnings).toEqual([])
})

test('the endpoint’s own answer goes out: when the delivery is rejected or malformed, or its endpoint disabled: no target is asked', async () => {
  const { replays, send, port } = await forwarding()
  expect((await send('/closed')).answers[0]?.status).toBe(401)
  expect((await send('/off')).answers[0]?.status).toBe(404)
  await raw({ port }, 'GARBAGE\r\n\r\n', { answers: 0 })
  expect(replays.answerFor).not.toHaveBeenCalled()
})

test('a fault rule goes before the target', async () => {
  const { faults, replays, send } = await forwarding()
  faults.add(aFault({ next: 1, effect: { type: 'status', status: 500 } }))
  expect((await send()).answers[0]?.status).toBe(500)
  expect(replays.answerFor).not.toHaveBeenCalled()
  expect((await send()).answers[0]?.status).toBe(418)
})

test('a sender that has left by the time the target answers: recorded, and that nobody was there', async () => {
  const given = Promise.withResolvers<TargetAnswer>()
  const { capture, port, replays } = await forwarding(() => given.promise)
  const { socket } = await sender(port, requestBytes('POST', '/', '{}'))
  await vi.waitFor(() => expect(replays.answerFor).toHaveBeenCalled(), { timeout: 10_000 })
  socket.resetAndDestroy()
  await new Promise((resolve) => setTimeout(resolve, 60))
  given.resolve(GIVEN)
  await vi.waitFor(() => expect(capture.took).toHaveLength(1), { timeout: 10_000 })
  expect(capture.took).toMatchObject([{ id: 1, tookUs: null, instead: { by: BY } }])
})
