import { DEFAULT_ENDPOINT, DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { Capture } from '#core/ports.ts'
import { createArrivalClock } from '#receiver/arrival-clock.ts'
import { createReceiver, type ReceiverOptions } from '#receiver/receiver.ts'

/** Starts a receiver on a free port with the default endpoint and no secret. @param bodyLimit bytes @param times milliseconds, as the receiver's */
export async function watchedReceiver(
  capture: Capture,
  bodyLimit: number,
  times: NonNullable<ReceiverOptions['times']>,
) {
  /** The receiver's warnings, and uncaught errors of the process. */
  const defects: unknown[] = []
  const note = (error: unknown) => defects.push(error)
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
  const rules = {
    ...DEFAULT_SETTINGS.receiver,
    endpoints: [{ ...DEFAULT_ENDPOINT, accepted: [] }],
    bodyLimit,
  }
  const receiver = createReceiver({
    capture,
    rules: () => rules,
    now: createArrivalClock(),
    warn: note,
    times,
  })
  const state = await receiver.start('127.0.0.1', 0)
  if (state.state !== 'listening') throw new Error(`the receiver does not listen: ${JSON.stringify(state)}`)
  return {
    port: state.port,
    defects,
    stop: async () => {
      await receiver.stop()
      process.removeListener('uncaughtException', note)
      process.removeListener('unhandledRejection', note)
    },
  }
}
