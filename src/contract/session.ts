import { z } from 'zod'
import { connection } from './connection.ts'
import { count, epochMs, type Of } from './params.ts'
import { MASK_KINDS } from './transfer.ts'

/** What an opened session file says about itself. */
export const sessionInfo = z.strictObject({
  /** Its path on the machine of the host. */
  file: z.string(),
  createdAt: epochMs,
  /** Version of the Acuse that wrote it, and whose verdicts it has. */
  version: z.string(),
  masked: z.array(z.enum(MASK_KINDS)),
})
export type SessionInfo = Of<typeof sessionInfo>

/** What a session file holds besides its rows. */
export const sessionHead = sessionInfo.omit({ file: true }).extend({
  deliveries: count,
  /** Connections of its sweeps, without credentials. */
  connections: z.array(connection),
  /** Number of migrations of each part's tables. */
  schemas: z.strictObject({ captured: count, replays: count, sweeps: count }),
})
export type SessionHead = Of<typeof sessionHead>
