import { setTimeout as wait } from 'node:timers/promises'
import { DEFAULT_ENDPOINT, DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { createArrivalClock } from '#receiver/arrival-clock.ts'
import { createReceiver } from '#receiver/receiver.ts'

/** A receiver on its own whose capture forgets what it gets after a moment, as a disk does; says its memory when asked. */
const rules = {
  ...DEFAULT_SETTINGS.receiver,
  endpoints: [{ ...DEFAULT_ENDPOINT, accepted: [] }],
  bodyLimit: 200 * 1_048_576,
}
let bytes = 0
const receiver = createReceiver({
  capture: {
    append: async () => ({ id: 1 }),
    openBody: () => ({
      write: async (piece) => {
        bytes += piece.length
        await wait(2)
        return piece
      },
      finish: async () => ({ upload: 'u' }),
      abandon: async () => {},
    }),
    answered: () => {},
  },
  rules: () => rules,
  now: createArrivalClock(),
  warn: (message) => process.stderr.write(message),
})
const state = await receiver.start('127.0.0.1', 0)
const before = process.memoryUsage.rss()
process.on('message', () => {
  // maxRSS is the peak, in KiB.
  process.send?.({ bytes, grownBytes: process.resourceUsage().maxRSS * 1_024 - before })
})
process.send?.(state)
