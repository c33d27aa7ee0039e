import { setTimeout as wait } from 'node:timers/promises'
import { watchedReceiver } from '../../support/watched-receiver.ts'

let bytes = 0
/** A receiver in its own process, whose capture drops deliveries after a moment, as if written to disk; reports its memory on request. */
const { port, defects } = await watchedReceiver(
  {
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
  200 * 1_048_576,
  {},
)
const before = process.memoryUsage.rss()
process.on('message', () => {
  // maxRSS is the peak, in KiB.
  const grownBytes = process.resourceUsage().maxRSS * 1_024 - before
  process.send?.({ bytes, grownBytes, defects: defects.map(String) })
})
process.send?.({ port })
