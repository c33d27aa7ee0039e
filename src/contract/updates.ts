import { z } from 'zod'
import { count, defineCommand, epochMs, nothing, type Of } from './params.ts'

/** Why a check or a download failed; `message` is the system's own text. Refused files are deleted. */
export const UPDATE_FAILURES = ['bad-hash', 'bad-signature', 'bad-feed', 'unreachable'] as const

const version = z.string()
/** What the app knows about a newer version of itself. */
const updateState = z.discriminatedUnion('state', [
  /** This copy does not replace itself: it runs from a clone, in a browser, or a package manager updates it. */
  z.strictObject({ state: z.literal('unsupported') }),
  /** The settings name no feed, so nothing is asked. */
  z.strictObject({ state: z.literal('off') }),
  z.strictObject({ state: z.literal('current'), checkedAt: epochMs.nullable() }),
  z.strictObject({ state: z.literal('checking') }),
  z.strictObject({ state: z.literal('downloading'), version, percent: count }),
  /** Downloaded and checked; it waits for the user. */
  z.strictObject({ state: z.literal('ready'), version }),
  z.strictObject({ state: z.literal('installing'), version }),
  z.strictObject({ state: z.literal('failed'), reason: z.enum(UPDATE_FAILURES), message: z.string() }),
])
export type UpdateState = Of<typeof updateState>

export const updateCommands = {
  'updates.get': defineCommand('Whether a newer version is there.', nothing, updateState),
  'updates.check': defineCommand(
    'Asks the feed of the settings, and downloads a newer version. Installs nothing.',
    nothing,
    updateState,
  ),
  'updates.install': defineCommand(
    'Ends the app, installs the downloaded version and starts it. The receiver is off meanwhile, and coverage says why.',
    nothing,
    updateState,
  ),
}
