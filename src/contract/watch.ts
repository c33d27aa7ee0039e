import { z } from 'zod'
import { defineReading, nothing, type Of } from './params.ts'

/** Why a host can take no deliveries. `store-stuck`: the log accepts no write within the time of a probe. */
export const NOT_READY = [
  'receiver-off',
  'receiver-starting',
  'receiver-failed',
  'store-refusing',
  'store-stuck',
  'not-following',
] as const

const readiness = z.strictObject({
  ready: z.boolean(),
  /** Null when ready. */
  reason: z.enum(NOT_READY).nullable(),
  /** English sentence; null when ready. */
  message: z.string().nullable(),
})
export type Readiness = Of<typeof readiness>

export const watchCommands = {
  'status.ready': defineReading(
    'Whether a delivery sent now would be stored. Proves it with a write to the log, which gets no id.',
    nothing,
    readiness,
  ),
  'metrics.get': defineReading(
    'Figures in the text format of Prometheus (version 0.0.4). They contain no data of deliveries.',
    nothing,
    z.strictObject({ text: z.string() }),
  ),
}
