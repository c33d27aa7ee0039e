import { createHash } from 'node:crypto'
import { MALFORMED } from '#contract/delivery.ts'
import { measure, unpackHeaders, writeRecord } from '../wire/record.ts'
import type { SavedRow, TrashedIn } from '../writer/protocol.ts'
import { DamagedPages, type DamagedRow, type Value } from './damaged-pages.ts'

/** What one step brought back: deliveries as records under their old ids, and pieces of large bodies, which go in first. */
export interface SalvageStep {
  readonly rows: readonly SavedRow[]
  readonly chunks: readonly { readonly upload: string; readonly seq: number; readonly bytes: Uint8Array }[]
}

/** A step ends early when it holds so much: bodies may be large, and all of it crosses to another thread. */
const STEP_BYTES = 16 * 1024 * 1024
const STEP_ROWS = 200

const LOST_ROW = {
  text: 'The database lost the row of this delivery. Headers and body are as received; method, path, sender and answer are unknown, and the time is that of the delivery before it.',
  tag: 'salvaged',
}

type Table = 'delivery' | 'trashed' | 'payload' | 'answer' | 'chunk' | 'note' | 'trash_batch' | 'pin' | 'tag'
/** A leaf of a table, by its lowest id. */
interface Leaf {
  readonly page: number
  readonly id: number
}

/**
 * Reads what can be read of a database that was set aside, the trash included. Every page is looked at by itself, so that neither the
 * schema nor the way to a page needs to be there. The files themselves are only read.
 */
export class Salvage {
  readonly #pages: DamagedPages
  readonly #leaves: Record<'delivery' | 'trashed' | 'payload', Leaf[]> = {
    delivery: [],
    trashed: [],
    payload: [],
  }
  readonly #answers = new Map<number, { headers: Buffer; body: Buffer }>()
  readonly #chunks = new Map<string, { seq: number; page: number; id: number }[]>()
  readonly #notes = new Map<number, { text: string; at: number }>()
  readonly #batches = new Map<number, TrashedIn>()
  readonly #pins = new Set<number>()
  readonly #tags = new Map<number, string[]>()
  readonly #found: Generator<SavedRow & { upload: string | null }, undefined>
  #read: { page: number; rows: DamagedRow[] } = { page: 0, rows: [] }

  /**
   * @param damaged path of the database; only its -wal may be left
   * @throws Error when it holds no delivery; the file system's error
   */
  constructor(damaged: string) {
    this.#pages = new DamagedPages(damaged)
    for (let page = 1; page <= this.#pages.last; page++) this.#sort(page)
    const leaves = Object.values(this.#leaves)
    for (const list of leaves) list.sort((a, b) => a.id - b.id)
    if (leaves.every((list) => list.length === 0)) {
      this.#pages.close()
      throw new Error(`${damaged} holds no delivery that can be read`)
    }
    this.#found = this.#all()
  }

  step(): SalvageStep {
    const rows: SavedRow[] = []
    const chunks: SalvageStep['chunks'][number][] = []
    for (let bytes = 0; bytes < STEP_BYTES && rows.length < STEP_ROWS; ) {
      const { value: found } = this.#found.next()
      if (!found) break
      const { upload, ...row } = found
      const pieces = upload === null ? [] : this.#pieces(upload)
      rows.push(row)
      chunks.push(...pieces)
      bytes += row.record.byteLength + pieces.reduce((sum, piece) => sum + piece.bytes.byteLength, 0)
    }
    return { rows, chunks }
  }

  close(): void {
    this.#pages.close()
  }

  /** The list, then the trash, then what has headers and body but no row any more. */
  *#all(): Generator<SavedRow & { upload: string | null }, undefined> {
    const seen = new Set<number>()
    const times: { id: number; receivedAt: number }[] = []
    for (const table of ['delivery', 'trashed'] as const)
      for (const { page } of this.#leaves[table])
        for (const { id, values } of this.#pages.rows(page)) {
          const payload = tableOf(values) === table && !seen.has(id) ? this.#payload(id) : undefined
          if (!payload) continue
          seen.add(id)
          times.push({ id, receivedAt: Number(values[1]) })
          const upload = textOr(values[16], null)
          const record = this.#record(values, payload, upload)
          const trashed = table === 'trashed' ? this.#trashedIn(Number(values[19])) : null
          const answeredBy = textOr(values[17], null)
          yield { id, record, answeredBy, said: this.#said(id), trashed, upload }
        }
    times.sort((a, b) => a.id - b.id)
    for (const { page } of this.#leaves.payload)
      for (const { id, values } of this.#pages.rows(page)) {
        if (seen.has(id) || tableOf(values) !== 'payload') continue
        const before = times[lowerBound(times, id)] ?? times[0]
        const record = this.#record(
          rowless(id, before?.receivedAt ?? Date.now() * 1_000, values),
          values,
          null,
        )
        const said = this.#said(id)
        const note = said.note ?? { text: LOST_ROW.text, at: Date.now() }
        yield {
          ...{ id, record, answeredBy: null, trashed: null, upload: null },
          said: { ...said, note, tags: [...said.tags, LOST_ROW.tag] },
        }
      }
    return undefined
  }

  #sort(page: number): void {
    const rows = this.#pages.rows(page)
    const table = rows.map(({ values }) => tableOf(values)).find((found) => found !== undefined)
    if (table === 'delivery' || table === 'trashed' || table === 'payload')
      this.#leaves[table].push({ page, id: Math.min(...rows.map(({ id }) => id)) })
    else if (table) for (const row of rows) this.#keep(table, row, page)
  }

  /** Of the small tables, what is in them; of the pieces of large bodies, where they are. */
  #keep(table: Table, { id, values }: DamagedRow, page: number): void {
    if (tableOf(values) !== table) return
    const [first, second, third, fourth] = values
    switch (table) {
      case 'answer':
        this.#answers.set(id, { headers: bytesOf(third), body: bytesOf(fourth) })
        return
      case 'chunk':
        listIn(this.#chunks, String(second)).push({ seq: Number(third), page, id })
        return
      case 'note':
        this.#notes.set(id, { text: String(second), at: Number(third) })
        return
      case 'trash_batch':
        this.#batches.set(id, { at: Number(second), filter: textOr(third, null) })
        return
      case 'pin':
        this.#pins.add(id)
        return
      case 'tag':
        listIn(this.#tags, Number(first)).push(String(second))
    }
  }

  #payload(id: number): readonly Value[] | undefined {
    const leaf = this.#leaves.payload[lowerBound(this.#leaves.payload, id)]
    return leaf && this.#rowIn(leaf.page, id)
  }

  #rowIn(page: number, id: number): readonly Value[] | undefined {
    // Deliveries come in the order of their ids, so the next one's payload mostly lies in the same page.
    if (this.#read.page !== page) this.#read = { page, rows: this.#pages.rows(page) }
    return this.#read.rows.find((row) => row.id === id)?.values
  }

  #pieces(upload: string): SalvageStep['chunks'] {
    const places = (this.#chunks.get(upload) ?? []).sort((a, b) => a.seq - b.seq)
    return places.map(({ seq, page, id }) => ({ upload, seq, bytes: bytesOf(this.#rowIn(page, id)?.[3]) }))
  }

  #said(id: number): SavedRow['said'] {
    return { pinned: this.#pins.has(id), note: this.#notes.get(id) ?? null, tags: this.#tags.get(id) ?? [] }
  }

  #trashedIn(batch: number): TrashedIn {
    return this.#batches.get(batch) ?? { at: null, filter: null }
  }

  /** @param values of the row in the order of its columns, which only ever grew at their end */
  #record(values: readonly Value[], payload: readonly Value[], upload: string | null): Buffer {
    const answer = this.#answers.get(Number(values[13] ?? 0))
    const packed = measure({
      receivedAt: Number(values[1]),
      receivingUs: Number(values[2]),
      endpoint: String(values[4]),
      method: String(values[5]),
      url: String(values[6]),
      httpVersion: String(values[7]),
      remoteAddress: String(values[8]),
      remotePort: Number(values[9]),
      headers: unpackHeaders(bytesOf(payload[1])),
      trailers: unpackHeaders(bytesOf(payload[2])),
      body: upload === null ? bytesOf(payload[3]) : { upload },
      bodySize: Number(values[10]),
      answer: answer
        ? { status: Number(values[12]), headers: unpackHeaders(answer.headers), body: answer.body }
        : null,
      rejected: values[14] === 1,
      malformed: MALFORMED.find((known) => known === values[15]) ?? null,
      // A database of an older Acuse has no such column, and no such deliveries.
      synthetic: values[18] === 1,
    })
    const record = Buffer.alloc(packed.size)
    writeRecord(packed, record, 0)
    return record
  }
}

/** The row of a delivery of which only the payload is left. */
function rowless(id: number, receivedAt: number, payload: readonly Value[]): Value[] {
  const size = bytesOf(payload[3]).byteLength
  return [
    id,
    receivedAt,
    0,
    null,
    'default',
    'POST',
    '/',
    '1.1',
    '',
    0,
    size,
    size,
    null,
    null,
    0,
    null,
    null,
  ]
}

const isInt = (value: Value | undefined): value is number => Number.isSafeInteger(value)
const isText = (value: Value | undefined): value is string => typeof value === 'string'
const isBytes = (value: Value | undefined): value is Buffer => Buffer.isBuffer(value)
const isNull = (value: Value | undefined): value is null => value === null

/** Which table has such rows, by the number and types of their values; a row id stands as null among them. */
function tableOf(values: readonly Value[]): Table | undefined {
  const [first, second, third, fourth] = values
  if (values.length === 2) return isInt(first) && isText(second) ? 'tag' : undefined
  if (!isNull(first)) return undefined
  switch (values.length) {
    case 1:
      return 'pin'
    case 3:
      if (isText(second) && isInt(third)) return 'note'
      return isInt(second) && (isText(third) || isNull(third)) ? 'trash_batch' : undefined
    case 4:
      if (isText(second)) return isInt(third) && isBytes(fourth) ? 'chunk' : undefined
      if (!isBytes(second)) return undefined
      if (isBytes(third) && isBytes(fourth) && second.equals(hashOf(third, fourth))) return 'answer'
      return [third, fourth].every((value) => isBytes(value) || isNull(value)) ? 'payload' : undefined
    default:
      if (!isInt(second) || !isInt(third) || ![4, 5, 6, 7, 8].every((at) => isText(values[at])))
        return undefined
      if (values.length === 20) return isInt(values[19]) ? 'trashed' : undefined
      return values.length >= 17 && values.length < 20 ? 'delivery' : undefined
  }
}

/** As intake.ts makes it. */
const hashOf = (headers: Buffer, body: Buffer): Buffer =>
  createHash('sha256').update(`${headers.byteLength}:`).update(headers).update(body).digest()

const bytesOf = (value: Value | undefined): Buffer => (isBytes(value) ? value : Buffer.alloc(0))
const textOr = <T>(value: Value | undefined, other: T): string | T => (isText(value) ? value : other)

/** The last place whose id is not above; -1 when all are. */
function lowerBound(list: readonly { readonly id: number }[], id: number): number {
  let [from, to] = [0, list.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((list[middle]?.id ?? 0) <= id) from = middle + 1
    else to = middle
  }
  return from - 1
}

function listIn<K, V>(map: Map<K, V[]>, key: K): V[] {
  const list = map.get(key) ?? []
  map.set(key, list)
  return list
}
