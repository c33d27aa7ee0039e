import type { DatabaseSync } from 'node:sqlite'
import { compileOpened, type Opened } from '#core/filter/opened.ts'
import type { OpenedLeaf } from '#core/filter/tree.ts'
import { scanJson } from '#core/json/scan.ts'
import type { JsonTree } from '#core/json/tree.ts'
import { RecentlyUsed, type Statements, textOrNull } from '../sql/connection.ts'
import { unpackHeaders } from '../wire/record.ts'
import { codingsOf, decodeBody } from './codings.ts'
import {
  asBuffer,
  isTooExpensive,
  READ_LIMIT,
  readBody,
  readSlice,
  unlessDamaged,
  unpackFindings,
} from './stored-body.ts'

/** How long the last delivery stays open for further conditions. A longer time could outlast a replacement of the database. */
const KEPT_MS = 100
const MOST_COMPILED = 100

/** Thrown from a query that has opened deliveries beyond its time limit. */
export class TooLong extends Error {}

/** Limits how long the queries of a connection may open deliveries. */
export interface TimeLimit {
  /** @param ms time limit for all of `work` @throws TooLong */
  within<T>(ms: number, work: () => T): T
}

/** Registers the SQL function behind `holdsOpened`. captured.db and derived.db must be attached under plain table names. */
export function allowOpening(db: DatabaseSync, statements: Statements): TimeLimit {
  let until = Number.POSITIVE_INFINITY
  const compiled = new RecentlyUsed<(opened: Opened) => boolean>(MOST_COMPILED)
  let last: { readonly id: number; readonly at: number; readonly opened: Opened } | undefined
  // compileFilter wrote this JSON from a parsed tree, so it needs no validation.
  const test = (condition: string) =>
    compiled.get(condition, () => compileOpened(JSON.parse(condition) as OpenedLeaf))
  db.function('acuse_holds', { directOnly: true }, (id, condition) => {
    const at = performance.now()
    if (at > until) throw new TooLong()
    if (last?.id !== id || at - last.at > KEPT_MS)
      last = { id: Number(id), at, opened: open(statements, Number(id)) }
    return test(String(condition))(last.opened) ? 1 : 0
  })
  return {
    within(ms, work) {
      until = performance.now() + ms
      try {
        return work()
      } finally {
        until = Number.POSITIVE_INFINITY
      }
    },
  }
}

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function open(statements: Statements, id: number): Opened {
  const row = once(
    () =>
      statements.one`SELECT d.url, d.upload, d.size, p.headers FROM delivery d
        JOIN payload p ON p.delivery_id = d.id WHERE d.id = ${id}`,
  )
  const headers = once(() => unpackHeaders(asBuffer(row()?.headers)))
  const bytes = once((): Uint8Array | null => {
    const found = row()
    if (!found) return null
    const place = { id, upload: textOrNull(found.upload) }
    const codings = codingsOf(headers())
    if (codings.length === 0) return unlessDamaged(() => readSlice(statements, place, 0, READ_LIMIT).bytes)
    if (Number(found.size) > READ_LIMIT || isTooExpensive(statements, id)) return null
    const raw = unlessDamaged(() => readBody(statements, place))
    const decoded = raw && decodeBody(raw, codings)
    return decoded && 'bytes' in decoded ? decoded.bytes : null
  })
  const text = once(() => {
    const found = bytes()
    return (
      found &&
      asBuffer(found)
        .toString('utf8')
        .replace(/^\ufeff/, '')
    )
  })
  return {
    url: String(row()?.url ?? ''),
    headers,
    text,
    json: once((): JsonTree | null => {
      const body = text()
      if (!body) return null
      const tree = scanJson(body)
      return 'problem' in tree ? null : tree
    }),
    findings: once(() =>
      unpackFindings(
        statements.one`SELECT packed FROM findings WHERE delivery_id = ${id}`?.packed ?? null,
      ).map(({ code }) => code),
    ),
  }
}

const FIRST_WINDOW = 256
const MOST_WINDOW = 65_536

export interface PaceOptions {
  /** Intended duration of a step: other reads on the thread wait for it. */
  readonly sliceMs: number
  /** Time limit of a step that opens large bodies: then it starts again with fewer deliveries. */
  readonly longestMs: number
}

/** Adapts the number of deliveries per step to the duration of earlier steps. */
export class Pace {
  readonly #timeLimit: TimeLimit
  readonly #options: PaceOptions
  #window = FIRST_WINDOW

  constructor(timeLimit: TimeLimit, options: PaceOptions) {
    this.#timeLimit = timeLimit
    this.#options = options
  }

  /** @param step searches `window` deliveries. After a time-out it runs again with fewer, so a failed call must have no effect. */
  timed<T>(step: (window: number) => T): T {
    const { sliceMs, longestMs } = this.#options
    for (;;) {
      const began = performance.now()
      const window = this.#window
      try {
        const longest = window === 1 ? Number.POSITIVE_INFINITY : longestMs
        const done = this.#timeLimit.within(longest, () => step(window))
        const took = performance.now() - began
        if (took < sliceMs / 2) this.#window = Math.min(MOST_WINDOW, window * 2)
        else if (took > sliceMs) this.#window = Math.max(1, Math.floor(window / 2))
        return done
      } catch (error) {
        if (!(error instanceof TooLong)) throw error
        this.#window = Math.max(1, Math.floor(window / 8))
      }
    }
  }
}
