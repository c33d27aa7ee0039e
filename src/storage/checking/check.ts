import { words } from '../files.ts'
import { openForReading } from '../sql/connection.ts'
import { failureOf } from '../sql/failure.ts'

/**
 * Looks through the whole file for damage that opening it does not show.
 * @returns what is wrong; null when nothing is, or when the file could not be read just now, which is no damage
 */
export function checkDatabase(path: string): string | null {
  try {
    using db = openForReading(path)
    const found = db.prepare('PRAGMA quick_check(1)').get()?.quick_check
    return found === 'ok' || found === undefined ? null : String(found)
  } catch (error) {
    return failureOf(error) === 'damage' ? words(error) : null
  }
}
