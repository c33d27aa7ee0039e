import { business } from './business.ts'
import type { Play, Stage } from './stage.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MONTH_DAYS = 29
const OPENS = 8 * HOUR
const OPEN_FOR = 10 * HOUR

/** Local midnight at or before an instant, as an instant. */
const midnight = (stage: Stage, instant: number): number =>
  Math.floor((instant + stage.eastward) / DAY) * DAY - stage.eastward

/**
 * The month up to yesterday, in business hours. Each document has an issue date of its own, as far as milliseconds reach, so that
 * accounting-sync can be paged however small the page.
 */
export const month: Play = (stage, count) => {
  const first = midnight(stage, stage.now) - MONTH_DAYS * DAY + OPENS
  const slot = Math.max(1, Math.floor((MONTH_DAYS * OPEN_FOR) / count))
  const issuedAt = (nth: number): number => {
    // Within its slot by a fixed irregular step: evenly spaced dates look made up.
    const open = nth * slot + ((nth * 7919) % slot)
    return first + Math.floor(open / OPEN_FOR) * DAY + (open % OPEN_FOR)
  }
  const batch = Math.min(50, Math.max(1, Math.ceil(count / 500)))
  return business(stage, {
    count,
    issuedAt,
    delay: Math.min(40, Math.ceil(count / 8)),
    batch,
    outage: () => false,
  })
}

/** The last ten hours; the receiver is away for a quarter of the documents in the middle. */
export const outageDay: Play = (stage, count) => {
  const slot = Math.max(1, Math.floor(OPEN_FOR / (count + 1)))
  const start = stage.now - slot * (count + 1)
  return business(stage, {
    count,
    issuedAt: (nth) => start + nth * slot,
    delay: Math.min(40, Math.ceil(count / 8)),
    batch: Math.min(50, Math.max(1, Math.ceil(count / 500))),
    outage: (nth) => nth >= Math.floor(count * 0.4) && nth < Math.max(1, Math.ceil(count * 0.65)),
  })
}

const BURST_STEP = 50

/** Invoices as fast as they can be made. */
export const burst: Play = function* (stage, count) {
  for (let made = 0; made < count && stage.lives(); made += BURST_STEP)
    yield stage.step((act) => {
      for (let one = made; one < Math.min(count, made + BURST_STEP); one++) act.perform('create-invoice', {})
    })
}
