import { setPriority } from 'node:os'
import { expose } from '#threads/expose.ts'
import { failureOf, words } from '../disk/files.ts'
import { openForReading } from '../sql/connection.ts'

const LOWEST = 19

// Without a listener Node opens its inspector on this signal, which would let every user of the machine in.
process.on('SIGUSR1', () => {})

// A process, since it can be killed: a statement cannot be cut off within its thread, and this one reads the whole file.
const handlers = {
  /** Looks through the whole file. @returns what is wrong; null when nothing is, or when the file could not be read just now */
  check(path: string, background: boolean): string | null {
    if (background) setPriority(LOWEST)
    try {
      using db = openForReading(path)
      const found = db.prepare('PRAGMA quick_check(1)').get()?.quick_check
      return found === 'ok' || found === undefined ? null : String(found)
    } catch (error) {
      return failureOf(error) === 'damage' ? words(error) : null
    }
  },
}

export type CheckHandlers = typeof handlers
expose(handlers)
