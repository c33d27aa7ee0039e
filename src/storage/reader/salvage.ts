import { MALFORMED } from '#contract/values.ts'
import { columns, numberOrNull, textOrNull } from '../sql/connection.ts'
import { bisect } from '../sql/numbers.ts'
import { deliveryRecord, unpackHeaders } from '../wire/record.ts'
import type { SavedUnsent } from '../writer/annotations.ts'
import type { SavedPiece, SavedRow } from '../writer/captured.ts'
import type { TrashedIn } from '../writer/trash.ts'
import { DamagedPages } from './damaged-pages.ts'
import { type NamedRow, type RowShapes, shapesOf } from './row-shapes.ts'

/** Result of one step: deliveries as records with their old ids, and chunks of large bodies, which must be inserted first. */
export interface SalvageStep {
  readonly rows: readonly SavedRow[]
  readonly chunks: readonly SavedPiece[]
  /** Changes that a shared log may not have yet. */
  readonly unsent: readonly SavedUnsent[]
}

/** A step ends early at this size: bodies may be large, and the whole step is copied to another thread. */
const STEP_BYTES = 16 * 1024 * 1024
const STEP_ROWS = 200

const LOST_ROW = {
  text: 'The database lost the row of this delivery. Headers and body are as received; method, path, sender and answer are unknown, and the time is that of the delivery before it.',
  tag: 'salvaged',
}

/** Tables that are read page by page; the others are small enough for memory. */
type LeafTable = 'delivery' | 'trashed' | 'payload'
/** A leaf page of a table. `id` is its lowest. */
interface Leaf {
  readonly page: number
  readonly id: number
}

/** Reads the readable rows of a database set aside, page by page. It needs neither the schema nor the path of the tree to a page. */
export class Salvage {
  readonly #pages: DamagedPages
  readonly #shapes: RowShapes
  readonly #leaves: Record<LeafTable, Leaf[]> = {
    delivery: [],
    trashed: [],
    payload: [],
  }
  readonly #answers = new Map<number, { headers: Buffer; body: Buffer }>()
  readonly #chunks = new Map<string, { seq: number; page: number; id: number }[]>()
  readonly #notes = new Map<number, NonNullable<SavedRow['said']['note']>>()
  readonly #batches = new Map<number, TrashedIn>()
  readonly #pins = new Set<number>()
  readonly #imported = new Map<number, number>()
  readonly #tags = new Map<number, string[]>()
  readonly #unsent: SavedUnsent[] = []
  readonly #found: Generator<SavedRow & { upload: string | null }, undefined>
  #read: { page: number; rows: readonly NamedRow[] } = { page: 0, rows: [] }

  /**
   * @param damaged path of the database; its -wal alone suffices @param own only the trash, and unsent changes
   * @throws Error without a readable delivery; the file system's error
   */
  constructor(damaged: string, own = false) {
    this.#pages = new DamagedPages(damaged)
    this.#shapes = shapesOf(this.#pages)
    for (let page = 1; page <= this.#pages.last; page++) this.#sort(page)
    const leaves = Object.values(this.#leaves)
    for (const list of leaves) list.sort((a, b) => a.id - b.id)
    if (leaves.every((list) => list.length === 0)) {
      this.#pages.close()
      throw new Error(`${damaged} holds no delivery that can be read`)
    }
    this.#found = this.#all(own)
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
    return { rows, chunks, unsent: this.#unsent.splice(0).toSorted((a, b) => a.id - b.id) }
  }

  close(): void {
    this.#pages.close()
  }

  /** Yields the deliveries, then the trash, then payloads without a row. */
  *#all(own: boolean): Generator<SavedRow & { upload: string | null }, undefined> {
    const seen = new Set<number>()
    const times: { id: number; receivedAt: number }[] = []
    for (const table of own ? (['trashed'] as const) : (['delivery', 'trashed'] as const))
      for (const row of this.#rowsOf(table)) {
        const { id } = row
        const payload = seen.has(id) ? undefined : this.#payload(id)
        if (!payload) continue
        seen.add(id)
        times.push({ id, receivedAt: Number(row.received_at) })
        const upload = textOrNull(row.upload)
        const record = this.#record(row, payload, upload)
        const batch = this.#batches.get(Number(row.batch)) ?? { at: null, filter: null }
        const trashed = table === 'trashed' ? batch : null
        const answeredBy = textOrNull(row.answered_by)
        const crc = numberOrNull(payload.crc)
        yield { id, record, answeredBy, crc, said: this.#said(id), trashed, upload }
      }
    if (own) return undefined
    times.sort((a, b) => a.id - b.id)
    for (const payload of this.#rowsOf('payload')) {
      const { id } = payload
      if (seen.has(id)) continue
      const before = times[lowerBound(times, id)] ?? times[0]
      const row = lostRow(payload, before?.receivedAt ?? Date.now() * 1_000)
      const said = this.#said(id)
      const note = said.note ?? { text: LOST_ROW.text, at: Date.now(), author: null }
      yield {
        id,
        record: this.#record(row, payload, null),
        answeredBy: null,
        crc: numberOrNull(payload.crc),
        trashed: null,
        upload: null,
        said: { ...said, note, tags: [...said.tags, LOST_ROW.tag] },
      }
    }
    return undefined
  }

  *#rowsOf(table: LeafTable): Generator<NamedRow> {
    for (const { page } of this.#leaves[table])
      for (const row of this.#rows(page)) if (row.table === table) yield row
  }

  #rows(page: number): NamedRow[] {
    return this.#pages.rows(page).flatMap((row) => this.#shapes.name(row) ?? [])
  }

  #sort(page: number): void {
    const rows = this.#rows(page)
    const table = rows[0]?.table
    if (table === 'delivery' || table === 'trashed' || table === 'payload')
      this.#leaves[table].push({ page, id: Math.min(...rows.map(({ id }) => id)) })
    else for (const row of rows) this.#keep(row, page)
  }

  /** Remembers the rows of the small tables, and the places of the chunks. */
  #keep(row: NamedRow, page: number): void {
    const { id } = row
    const tables: Readonly<Record<string, () => unknown>> = {
      answer: () => this.#answers.set(id, { headers: bytesOf(row.headers), body: bytesOf(row.body) }),
      chunk: () => listIn(this.#chunks, String(row.upload)).push({ seq: Number(row.seq), page, id }),
      note: () =>
        this.#notes.set(id, { text: String(row.text), at: Number(row.at), author: textOrNull(row.author) }),
      trash_batch: () => this.#batches.set(id, { at: Number(row.at), filter: textOrNull(row.filter) }),
      pin: () => this.#pins.add(id),
      imported: () => this.#imported.set(id, Number(row.at)),
      unsent: () =>
        this.#unsent.push({
          ...{ id, key: String(row.key), deliveryId: Number(row.delivery_id), field: String(row.field) },
          ...{ day: Number(row.day), record: String(row.record) },
        }),
      tag: () => listIn(this.#tags, Number(row.delivery_id)).push(String(row.tag)),
    }
    tables[row.table]?.()
  }

  #payload(id: number): NamedRow | undefined {
    const leaf = this.#leaves.payload[lowerBound(this.#leaves.payload, id)]
    return leaf && this.#rowIn(leaf.page, id)
  }

  #rowIn(page: number, id: number): NamedRow | undefined {
    // Deliveries come in the order of ids, so the next payload is mostly in the same page.
    if (this.#read.page !== page) this.#read = { page, rows: this.#rows(page) }
    return this.#read.rows.find((row) => row.id === id)
  }

  #pieces(upload: string): SalvageStep['chunks'] {
    const places = (this.#chunks.get(upload) ?? []).sort((a, b) => a.seq - b.seq)
    return places.map(({ seq, page, id }) => {
      const row = this.#rowIn(page, id)
      return { upload, seq, bytes: bytesOf(row?.bytes), crc: numberOrNull(row?.crc) }
    })
  }

  #said(id: number): SavedRow['said'] {
    return { pinned: this.#pins.has(id), note: this.#notes.get(id) ?? null, tags: this.#tags.get(id) ?? [] }
  }

  #record(row: NamedRow, payload: NamedRow, upload: string | null): Buffer {
    const answer = this.#answers.get(Number(row.answer_id ?? 0))
    const { size, write } = deliveryRecord({
      ...columns(row, Number, 'receivedAt', 'receivingUs', 'remotePort'),
      ...columns(row, String, 'endpoint', 'method', 'url', 'httpVersion', 'remoteAddress'),
      headers: unpackHeaders(bytesOf(payload.headers)),
      trailers: unpackHeaders(bytesOf(payload.trailers)),
      body: upload === null ? bytesOf(payload.body) : { upload },
      bodySize: Number(row.size),
      answer: answer
        ? { status: Number(row.answer_status), headers: unpackHeaders(answer.headers), body: answer.body }
        : null,
      rejected: row.rejected === 1,
      malformed: MALFORMED.find((known) => known === row.malformed) ?? null,
      // A database of an older Acuse lacks these columns.
      synthetic: row.synthetic === 1,
      authenticated: row.authenticated === 1,
      importedAt: this.#imported.get(row.id) ?? null,
    })
    const record = Buffer.alloc(size)
    write(record, 0)
    return record
  }
}

/** A placeholder row for a delivery of which only the payload is left. */
function lostRow({ id, body }: NamedRow, receivedAt: number): NamedRow {
  return {
    table: 'delivery',
    id,
    received_at: receivedAt,
    receiving_us: 0,
    endpoint: 'default',
    method: 'POST',
    url: '/',
    http_version: '1.1',
    remote_address: '',
    remote_port: 0,
    size: bytesOf(body).byteLength,
  }
}

const bytesOf = (value: NamedRow[string]): Buffer => (Buffer.isBuffer(value) ? value : Buffer.alloc(0))

/** @returns the last index whose id is at most `id`; -1 when there is none */
const lowerBound = (list: readonly { readonly id: number }[], id: number): number =>
  bisect(0, list.length, (place) => (list[place]?.id ?? 0) <= id) - 1

function listIn<K, V>(map: Map<K, V[]>, key: K): V[] {
  const list = map.get(key) ?? []
  map.set(key, list)
  return list
}
