import type { DatabaseSync } from 'node:sqlite'
import { FINGERPRINT_FIELDS, likeness } from '#core/reconcile/fingerprint.ts'

/** What a comparison of fingerprints goes by. */
export interface Agreement {
  /** Fields that do not count. */
  readonly excluded: ReadonlySet<string>
  /** IANA name: dates without offset are local there. */
  readonly zone: string
}

/**
 * Gives a connection the function `agrees(a, b)`: whether two fingerprints have a counting field in common, and unlike values in none.
 * @returns sets what counts
 */
export function provideAgrees(db: DatabaseSync): (agreement: Agreement) => void {
  let counted: readonly number[] = []
  let zone = 'UTC'
  db.function('agrees', { deterministic: false, directOnly: true }, (a, b) => {
    if (!(a instanceof Uint8Array) || !(b instanceof Uint8Array)) return 0
    let agrees = 0
    for (const slot of counted) {
      const one = likeness(a, b, slot, zone)
      if (one === 'unlike') return 0
      if (one !== 'none') agrees = 1
    }
    return agrees
  })
  return (agreement) => {
    zone = agreement.zone
    counted = FINGERPRINT_FIELDS.flatMap((name, slot) => (agreement.excluded.has(name) ? [] : [slot]))
  }
}
