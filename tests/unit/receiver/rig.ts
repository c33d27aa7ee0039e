import { afterEach } from 'vitest'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { Certificates, NewDelivery, Receiver } from '#core/ports.ts'
import type { Answering } from '#receiver/answering.ts'
import { createArrivalClock } from '#receiver/arrival-clock.ts'
import type { ReceiverTimes } from '#receiver/limits.ts'
import { createReceiver, type ReceiverRules } from '#receiver/receiver.ts'
import { RecordingCapture } from '../../support/recording-capture.ts'
import { endpoint } from './endpoint.ts'

export interface Rig {
  readonly receiver: Receiver
  readonly capture: RecordingCapture
  readonly port: number
  readonly warnings: string[]
  rules: ReceiverRules
}

const open: Receiver[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((receiver) => receiver.stop()))
})

/** A listening receiver on a port of its own with a recording capture. Stopped after the test. */
export async function rig(
  options: {
    rules?: Partial<ReceiverRules>
    times?: Partial<ReceiverTimes>
    answering?: Answering
    certificates?: Certificates
  } = {},
): Promise<Rig> {
  const capture = new RecordingCapture()
  const warnings: string[] = []
  const made = {
    capture,
    warnings,
    rules: { ...DEFAULT_SETTINGS.receiver, endpoints: [endpoint()], ...options.rules },
  }
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
  return Object.assign(made, { receiver, port: state.port })
}

/** The only delivery kept. */
export function only(capture: RecordingCapture): NewDelivery {
  const [first, ...others] = capture.deliveries
  if (!first || others.length > 0) throw new Error(`${capture.deliveries.length} deliveries were kept`)
  return first
}
