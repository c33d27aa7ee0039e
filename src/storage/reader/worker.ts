import { AcuseError } from '#contract/errors.ts'
import { expose, members, owner } from '#threads/expose.ts'
import { failureOf, told, words } from '../disk/files.ts'
import { Reader } from './reader.ts'
import { Salvage, type SalvageStep } from './salvage.ts'

/** A read failed because a file is damaged; a full check finds out which one. */
export interface ReaderPushes {
  damaged(reason: string): void
  /** The stored bytes of a requested delivery no longer match their checksum. */
  altered(id: number): void
}

let reader: Reader | undefined
const { damaged, altered } = owner<ReaderPushes>()

/** A read that fails because of the file must start the search for the damage. */
function report(error: unknown): never {
  if (failureOf(error) === 'damage') damaged(words(error))
  if (error instanceof AcuseError && error.code === 'damaged') altered(Number(error.details.id))
  throw told(error)
}

/** Forwards every query to the open Reader. */
const queries = members<Omit<Reader, 'statements' | 'counted' | 'close' | 'reset'>>((name, args) => {
  if (!reader) throw new Error('The database is not open for reading.')
  try {
    const result: unknown = Reflect.get(reader, name).apply(reader, args)
    return result instanceof Promise ? result.catch(report) : result
  } catch (error) {
    return report(error)
  }
})

const handlers = {
  open(paths: ConstructorParameters<typeof Reader>[0]): void {
    handlers.release()
    reader = new Reader(paths)
  },
  reset: () => reader?.reset(),
  /** Closes the databases, so that they can be set aside. */
  release(): void {
    reader?.close()
    reader = undefined
  },
  /** @param own only what a shared log does not have; see `Salvage` */
  *salvage(path: string, own = false): Generator<SalvageStep> {
    const salvage = new Salvage(path, own)
    try {
      for (let step = salvage.step(); step.rows.length + step.unsent.length > 0; step = salvage.step())
        yield step
    } finally {
      salvage.close()
    }
  },
}

export type ReaderHandlers = typeof handlers & typeof queries
expose<ReaderHandlers>(Object.setPrototypeOf(handlers, queries))
