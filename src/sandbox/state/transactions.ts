import type { DatabaseSync } from 'node:sqlite'
import type { Kind } from '#catalog/kinds.ts'
import { createRandom, type Random } from '../data/random.ts'
import { localTime, writeJson } from '../domain/json.ts'
import type { SandboxEvent } from '../domain/records.ts'
import type { Store } from './store.ts'
import { readWorkspace } from './store.ts'

/** What an operation works with; a refusal rolls back all of its changes. */
export interface Change {
  readonly store: Store
  readonly random: Random
  readonly now: number
  readonly offset: string
  /** Issues an id. Ids increase, so that documents of the same instant keep their order in the sync routes. */
  newId(): string
  /** Issue date for a document issued now; not earlier than the one before. */
  issueInstant(): number
  emit(kind: Kind, subject: string, data: unknown): void
}

const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0')

/**
 * Makes a UUID (version 4's form) whose first 32 bits are a counter: ids are unique and increase. They hold no time,
 * so that the same seed gives the same ids on another day.
 */
function idOf(count: number, random: Random): string {
  const parts = [
    hex(random.int(0, 0xffff), 4),
    hex(0x4000 | random.int(0, 0xfff), 4),
    hex(0x8000 | random.int(0, 0x3fff), 4),
  ]
  return `${hex(count, 8)}-${parts.join('-')}-${hex(random.int(0, 2 ** 24 - 1), 6)}${hex(random.int(0, 2 ** 24 - 1), 6)}`
}

interface How {
  /** Generator for this transaction; default: the world's. */
  readonly random?: Random
  /** Selects and changes the events to emit. */
  readonly finish?: (made: readonly Enveloped[]) => readonly Enveloped[]
  /** Rolls back at the end and keeps only the result. */
  readonly rehearsal?: boolean
}

export interface Enveloped {
  readonly kind: Kind
  readonly subject: string
  readonly envelope: unknown
  /** Body to send unchanged, instead of the serialised envelope. */
  readonly text?: string
}

/**
 * Makes each transaction's Timestamp distinct: two events of one document in the same millisecond could otherwise have equal bytes, and a
 * receiver would take the second for a duplicate.
 * @param timestamp has three decimals of a second @param within number of earlier transactions in the same millisecond
 */
function distinct(timestamp: string, within: number): string {
  if (within === 0) return timestamp
  return timestamp.replace(/\.\d{3}/, (digits) => digits + String(within % 1_000).padStart(3, '0'))
}

/** Milliseconds. Issue dates follow a clock that was set back by more; after a smaller step they stay at the last date. */
const CLOCK_SLIP = 60_000

/** Runs each operation as a transaction over rows, ids and the generator's state. */
export function createTransactions(database: DatabaseSync, store: Store, now: () => number) {
  const own = createRandom(0)
  let told = { at: 0, within: 0 }
  let ids = 0
  let lastIssued = 0
  const generator = (): string => `${own.state()} ${ids} ${lastIssued}`
  const restore = (kept: string): void => {
    const [state = '', count = '0', issued = '0'] = kept.split(' ')
    own.restore(state)
    ids = Number(count)
    lastIssued = Number(issued)
  }
  const kept = store.setting('generator')
  if (kept !== undefined) restore(kept)

  return {
    run: <T>(
      cause: string,
      { random = own, finish, rehearsal = false }: How,
      work: (change: Change) => T,
    ) => {
      const before = generator()
      const drawn = random.state()
      const at = now()
      const { offset } = readWorkspace(store)
      const toldBefore = told
      told = at === told.at ? { at, within: told.within + 1 } : { at, within: 0 }
      const timestamp = distinct(localTime(at, offset), told.within)
      const made: Enveloped[] = []
      const change: Change = {
        store,
        random,
        now: at,
        offset,
        newId: () => {
          ids += 1
          return idOf(ids, random)
        },
        issueInstant: () => {
          if (at > lastIssued || at < lastIssued - CLOCK_SLIP) lastIssued = at
          return lastIssued
        },
        emit: (kind, subject, data) => {
          made.push({ kind, subject, envelope: { Event: kind, Timestamp: timestamp, data } })
        },
      }
      const undo = (): void => {
        if (database.isTransaction) database.exec('ROLLBACK')
        restore(before)
        told = toldBefore
        if (random !== own) random.restore(drawn)
      }
      database.exec('BEGIN IMMEDIATE')
      try {
        const result = work(change)
        const events = (finish?.(made) ?? made).map(({ kind, subject, envelope, text }): SandboxEvent => {
          const body = text ?? writeJson(envelope)
          const seq = store.addEvent({ kind, subject, cause, at })
          return { seq, kind, subject, body, cause, at }
        })
        if (rehearsal) undo()
        else {
          store.setSetting('generator', generator())
          database.exec('COMMIT')
        }
        return { result, events }
      } catch (thrown) {
        undo()
        throw thrown
      }
    },
    restart: (seed: number): void => {
      own.restore(createRandom(seed).state())
      // Ids start at another number for each seed, so that two sandboxes do not issue the same ids.
      ids = own.int(0x1000_0000, 0x7fff_ffff)
      lastIssued = 0
      store.setSetting('generator', generator())
    },
  }
}
export type Transactions = ReturnType<typeof createTransactions>
