import type { DatabaseSync } from 'node:sqlite'
import { FINGERPRINT_FIELDS, PART_BYTES } from '#core/reconcile/fingerprint.ts'

/**
 * Gives a connection the function `unlike(a, b)`: whether two fingerprints have unlike values in a field that both have and that is not
 * ignored.
 * @returns sets the ignored fields
 */
export function provideUnlike(db: DatabaseSync): (ignored: ReadonlySet<string>) => void {
  let counted: readonly number[] = []
  db.function('unlike', { deterministic: false, directOnly: true }, (a, b) => {
    if (!(a instanceof Uint8Array) || !(b instanceof Uint8Array)) return 0
    for (const slot of counted) if (differ(a, b, slot * PART_BYTES)) return 1
    return 0
  })
  return (ignored) => {
    counted = FINGERPRINT_FIELDS.flatMap((name, slot) => (ignored.has(name) ? [] : [slot]))
  }
}

function differ(a: Uint8Array, b: Uint8Array, from: number): boolean {
  let unlike = false
  let [any, other] = [0, 0]
  for (let at = from; at < from + PART_BYTES; at++) {
    const [x, y] = [a[at] ?? 0, b[at] ?? 0]
    any |= x
    other |= y
    unlike ||= x !== y
  }
  return unlike && any !== 0 && other !== 0
}
