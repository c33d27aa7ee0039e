import { z } from 'zod'
import { count, defineCommand, defineReading, nothing, type Of } from './params.ts'

const NO_BEGINNING = 'is no beginning; give newest, oldest or a date such as 2026-11-27'
/** Where a first following begins: `newest`, `oldest`, or the beginning of a day, UTC. */
export const beginning = z
  .string()
  .regex(/^(?:newest|oldest|\d{4}-\d{2}-\d{2})$/, NO_BEGINNING)
  .refine((text) => text.endsWith('est') || z.iso.date().safeParse(text).success, NO_BEGINNING)

/** @returns milliseconds since the epoch, or that the next delivery is the first */
export function beginsAt(from: string): 'newest' | number {
  if (from === 'newest') return from
  return from === 'oldest' ? 0 : Date.parse(from)
}

const place = {
  log: z
    .string()
    .trim()
    .max(2_000)
    .regex(
      /^postgres(?:ql)?:\/\/[^/@\s]+@[^/@\s]+\/[^/\s]+$/,
      'is no address of a shared log; give postgres://user@host:5432/database',
    ),
  /** Besides the URL, so that it is never shown; absent: the one in the URL, or none. */
  password: z.string().max(1_000).exactOptional(),
}

const facts = {
  /** Whether commits wait for a synchronous standby. */
  replicated: z.boolean(),
  /** Those of the last day, the last seen first. */
  receivers: z.array(
    z.strictObject({
      name: z.string(),
      /** Null while it does not listen. */
      address: z.string().nullable(),
      /** Seen within the last seconds, and listening. */
      up: z.boolean(),
      /** ISO 8601, UTC. */
      seenAt: z.string(),
      singleCopies: count,
      /** Whether it keeps old endpoints, because it cannot read the present ones. */
      outdated: z.boolean(),
    }),
  ),
}

const source = z.strictObject({
  /** URL of the shared log without its password; null: the receiver of this machine. */
  log: z.string().nullable(),
  from: beginning.nullable(),
  /** Whether the folder is empty, so that it can begin to follow. */
  mayFollow: z.boolean(),
  /** Whether a change takes effect at the next start only. */
  restart: z.boolean(),
  /** Why the shared log cannot be asked; null: it can. */
  reason: z.string().nullable(),
  /** Records of the log that are not copied yet; null: unknown. */
  behind: count.nullable(),
  ...facts,
})
export type Source = Of<typeof source>

export const sourceCommands = {
  'source.get': defineReading(
    'Where the deliveries of the data folder come from, and how that source is.',
    nothing,
    source,
  ),
  'source.test': defineReading(
    'Connects to a shared log and says how it is; keeps nothing.',
    z.strictObject(place),
    z.strictObject(facts),
  ),
  'source.follow': defineCommand(
    'Makes an empty data folder follow a shared log from the next start on, or changes the address of the one that it follows. The receiver stops.',
    z.strictObject({ ...place, from: beginning }),
    source,
  ),
}
