import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, onTestFinished } from 'vitest'
import { DEFAULT_ANSWER, DEFAULT_ENDPOINT, DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { FaultRule } from '#contract/faults.ts'
import type { EndpointRule } from '#core/endpoints.ts'
import { FaultBook } from '#core/faults.ts'
import type { Certificates, NewDelivery, Receiver } from '#core/ports.ts'
import type { Answering } from '#receiver/answering.ts'
import { createArrivalClock } from '#receiver/arrival-clock.ts'
import type { ReceiverTimes } from '#receiver/limits.ts'
import { createReceiver, type ReceiverRules } from '#receiver/receiver.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { RecordingCapture } from '../../support/recording-capture.ts'
import { aFault } from '../../support/records.ts'

type Sent = Parameters<typeof raw> extends [unknown, ...infer Rest] ? Rest : never

const open: Receiver[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((receiver) => receiver.stop()))
})

/** Starts a receiver on a free port with a recording capture. Stopped after the test. */
export async function rig(
  options: {
    rules?: Partial<ReceiverRules>
    times?: Partial<ReceiverTimes>
    answering?: Answering
    certificates?: Certificates
  } = {},
) {
  const capture = new RecordingCapture()
  const warnings: string[] = []
  const rules: ReceiverRules = { ...DEFAULT_SETTINGS.receiver, endpoints: [endpoint()], ...options.rules }
  const made = { capture, warnings, rules }
  const receiver = createReceiver({
    capture,
    ...(options.answering ? { answering: options.answering } : {}),
    ...(options.certificates ? { certificates: options.certificates } : {}),
    rules: () => made.rules,
    now: createArrivalClock(),
    warn: (message) => warnings.push(message),
    times: { lingerIdle: 100, stop: 500, check: 50, ...options.times },
  })
  open.push(receiver)
  const tls = options.certificates ? ({ certificate: 'generated' } as const) : null
  const state = await receiver.start('127.0.0.1', 0, tls)
  if (state.state !== 'listening') throw new Error(`not listening: ${JSON.stringify(state)}`)
  const { port } = state
  const statuses = async (...sent: Sent) => (await raw({ port }, ...sent)).answers.map(({ status }) => status)
  return Object.assign(made, { receiver, port, statuses })
}

export function only(capture: RecordingCapture): NewDelivery {
  const [first, ...others] = capture.deliveries
  if (!first || others.length > 0) throw new Error(`${capture.deliveries.length} deliveries were kept`)
  return first
}

export const endpoint = (part: Partial<EndpointRule> = {}): EndpointRule => ({
  ...DEFAULT_ENDPOINT,
  answer: DEFAULT_ANSWER,
  accepted: [],
  ...part,
})

const ANSWER = { status: 201, headers: [['X-A', '1']] as const, body: 'gracias', delayMs: 0 }

export interface Circumstances {
  readonly answer?: Partial<EndpointRule['answer']>
  readonly times?: Partial<ReceiverTimes>
  readonly replays?: Answering['replays']
}

/** Starts a receiver with fault rules. Endpoints: "gracias" at / and /other, a disabled one at /off, one with a secret at /closed. */
export async function faulty(
  rules: readonly Partial<FaultRule>[],
  { answer = {}, times = {}, replays = null }: Circumstances = {},
) {
  const faults = new FaultBook({ now: Date.now })
  for (const one of rules) faults.add(aFault(one))
  const endpoints = [
    endpoint({ answer: { ...ANSWER, ...answer } }),
    endpoint({ name: 'other', path: '/other', answer: { ...ANSWER, ...answer } }),
    endpoint({ name: 'off', path: '/off', enabled: false }),
    endpoint({ name: 'closed', path: '/closed', secret: { header: 'X-Key', values: 1 }, accepted: ['s'] }),
  ]
  const made = await rig({ rules: { endpoints }, times, answering: { faults, replays } })
  const post = (target = '/', body: Buffer | string = '{}', headers: readonly string[] = []) =>
    raw(made, requestBytes('POST', target, body, headers))
  return { ...made, faults, post }
}

export const post = (target: string, body = '{}') => requestBytes('POST', target, body)

/** Opens a connection, sends these bytes, and records how the other side ends it: by FIN or by reset. */
export async function sender(port: number, bytes: Buffer | string) {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (piece: Buffer) => {
    text += piece.toString('latin1')
  })
  const ended = new Promise<'end' | 'reset'>((resolve, reject) => {
    socket.once('end', () => resolve('end'))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve('reset') : reject(error),
    )
  })
  await once(socket, 'connect')
  socket.write(bytes)
  return {
    socket,
    text: () => text,
    ended,
    async came(part: string) {
      while (!text.includes(part)) await once(socket, 'data')
    },
  }
}
