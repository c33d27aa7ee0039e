import type { Header } from '#contract/delivery.ts'
import { headerRows } from '#contract/headers.ts'
import type { JobOptions } from '#contract/replay.ts'
import type { ExportSource } from '#contract/transfer.ts'
import { scanJson } from '#core/json/scan.ts'
import type { ItemReading } from '#core/reconcile/item.ts'
import { readSweepItem } from '#core/reconcile/sweep-item.ts'
import { codingsOf, decodeBody } from '../body/codings.ts'
import { asBuffer } from '../body/stored-body.ts'
import { Bodies } from '../replays/bodies.ts'
import { type Statements, sql } from '../sql/connection.ts'
import { firstItem, itemColumns, lastItem } from '../sweeps/items.ts'
import { packHeaders, unpackHeaders } from '../wire/record.ts'
import { flat } from './session-writer.ts'

/** A request that Acuse sent again, or the answer to it. */
export interface Message {
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  /** The body without its codings; null when they cannot be removed; `body` itself without codings. */
  readonly decoded: Uint8Array | null
}

/** Masks what belongs to deliveries. */
export interface Cover {
  /** About the delivery that was masked last. @param text JSON or another text */
  text(text: string): string
  /** @param secret names of further headers to mask, in lower case */
  message(message: Message, secret: ReadonlySet<string>): Pick<Message, 'headers' | 'body'>
  /** About no delivery. @param text JSON or another text */
  apart(text: string): string
}

type Row = NonNullable<ReturnType<Statements['one']>>

const AT_ONCE = 200
const NO_BODY = { body: new Uint8Array(), decoded: null }
const NO_NAMES: ReadonlySet<string> = new Set()
const isSent = (value: unknown): value is Uint8Array => value instanceof Uint8Array

/** Copies the attempts of deliveries, and the sweeps of their documents, from a store into a session file. */
export class Surroundings {
  readonly #from: Statements
  readonly #into: Statements
  readonly #cover: Cover
  readonly #bodies: Bodies
  readonly #jobs = new Set<number>()
  readonly #forwards = new Set<number>()
  readonly #sweeps = new Map<number, string>()

  /** @param from a reader's, with replays.db and sweeps.db attached as far as they exist */
  constructor(from: Statements, into: Statements, cover: Cover) {
    this.#from = from
    this.#into = into
    this.#cover = cover
    this.#bodies = new Bodies(into)
    // Keys of documents as the store has them, and as the file has them.
    into.run`CREATE TEMP TABLE known (key TEXT PRIMARY KEY, written TEXT) WITHOUT ROWID`
  }

  /** Names of the connections whose sweeps were copied. */
  get connections(): ReadonlySet<string> {
    return new Set(this.#sweeps.values())
  }

  /** Copies the attempts of the delivery that was masked last, and remembers its document. */
  of(id: number): void {
    const key = this.#from.value`SELECT document_key FROM analysis WHERE delivery_id = ${id}`
    if (typeof key === 'string') this.#into.run`INSERT OR IGNORE INTO known (key) VALUES (${key})`
    for (let after = 0; ; ) {
      const rows = this.#from
        .all`SELECT * FROM attempt WHERE delivery_id = ${id} AND id > ${after} ORDER BY id LIMIT ${AT_ONCE}`
      for (const row of rows) this.#attempt(row)
      if (rows.length < AT_ONCE) break
      after = Number(rows.at(-1)?.id)
    }
    this.#bodies.settle()
  }

  #attempt(row: Row): void {
    const cover = this.#cover
    const secret = new Set(row.secret_names === null ? [] : String(row.secret_names).split(','))
    const sent = this.#message(row.headers, row.edited_body, secret)
    const answer = isSent(row.answer_headers)
      ? this.#message(row.answer_headers, row.answer_body, NO_NAMES)
      : null
    const textOf = (value: unknown) => (typeof value === 'string' ? cover.text(value) : null)
    this.#into.insert('INTO attempt', {
      ...row,
      target: cover.text(String(row.target)),
      url: cover.text(String(row.url)),
      status_text: textOf(row.status_text),
      error: row.error === null ? null : inStrings(String(row.error), (text) => cover.text(text)),
      headers: sent.headers,
      edited_body: sent.kept,
      answer_headers: answer?.headers ?? null,
      answer_body: answer?.kept ?? null,
      ...(answer?.changed
        ? {
            // A digest of the plain answer would let a reader of the file guess what was masked.
            answer_digest: null,
            answer_kept: answer.size,
            answer_size: row.answer_size === row.answer_kept ? answer.size : Number(row.answer_size),
          }
        : {}),
      ...(sent.changed ? { body_size: sent.size } : {}),
    })
    if (row.job !== null) this.#jobs.add(Number(row.job))
    if (row.forward !== null) this.#forwards.add(Number(row.forward))
  }

  #message(packed: unknown, bodyId: unknown, secret: ReadonlySet<string>) {
    const headers = unpackHeaders(asBuffer(packed))
    const body =
      bodyId === null ? null : asBuffer(this.#from.value`SELECT bytes FROM body WHERE id = ${Number(bodyId)}`)
    const bytes = body ?? new Uint8Array()
    const decoded = body && codingsOf(headers).length > 0 ? decodeBody(body, codingsOf(headers)) : null
    const masked = this.#cover.message(
      {
        headers: headerRows(headers),
        body: bytes,
        decoded: decoded ? ('bytes' in decoded ? decoded.bytes : null) : bytes,
      },
      secret,
    )
    return {
      headers: packHeaders(flat(masked.headers)),
      kept: body && this.#bodies.keep(masked.body),
      size: masked.body.length,
      changed: body !== null && !body.equals(masked.body),
    }
  }

  /** Call after the last delivery: copies jobs, forwards, sweeps and coverage. Yields now and then, since it may take long. */
  *finish(source: ExportSource): Generator<void> {
    for (const id of this.#jobs) this.#job(id)
    for (const id of this.#forwards) {
      const row = this.#from.one`SELECT id, name FROM forward WHERE id = ${id}`
      // Without its settings, as if it had been removed: it must not send from an opened session.
      if (row) this.#into.insert('INTO forward', { id, name: String(row.name), settings: null })
    }
    yield
    this.#copy('coverage', this.#from.each`SELECT * FROM coverage`)
    if (!this.#from.has`SELECT 1 FROM pragma_database_list WHERE name = 'sweeps'`) return
    const whole = source.type === 'filter' && source.filter.trim() === ''
    for (const id of this.#from.numbers`SELECT id FROM sweeps.sweep ORDER BY id`) {
      if (source.type === 'sweep' && source.sweep !== id) continue
      yield* this.#sweep(id, whole || source.type === 'sweep')
    }
  }

  #job(id: number): void {
    const [lane, job] = [
      this.#from.one`SELECT * FROM lane WHERE id = ${id}`,
      this.#from.one`SELECT * FROM job WHERE lane = ${id}`,
    ]
    if (!lane || !job) return
    this.#copy('lane', [lane])
    const apart = (text: string) => this.#cover.apart(text)
    // Jobs wrote this JSON.
    const options = JSON.parse(String(job.options)) as JobOptions
    const added = headerRows((options.to.headers ?? []).flat())
    const { headers } = this.#cover.message({ headers: added, ...NO_BODY }, NO_NAMES)
    const to = {
      ...options.to,
      target: apart(options.to.target),
      ...(headers.length > 0 && { headers: headers.map(({ name, value }) => [name, value]) }),
    }
    this.#into.insert('INTO job', {
      ...job,
      source: inStrings(String(job.source), apart),
      options: JSON.stringify({ ...options, to }),
      last_error: job.last_error === null ? null : inStrings(String(job.last_error), apart),
    })
  }

  *#sweep(id: number, whole: boolean): Generator<void> {
    const sweep = this.#from.one`SELECT * FROM sweeps.sweep WHERE id = ${id}`
    if (!sweep) return
    const reading = JSON.parse(String(sweep.corrections)) as ItemReading
    let copied = 0
    for (let after = firstItem(id) - 1; ; ) {
      const items = this.#from
        .all`SELECT i.*, r.bytes FROM sweeps.sweep_item i JOIN sweeps.sweep_raw r ON r.id = i.id
        WHERE i.id > ${after} AND i.id <= ${lastItem(id)} ORDER BY i.id LIMIT ${AT_ONCE}`
      for (const { bytes, ...item } of items) {
        const key = String(item.key)
        const documentId = item.document_id ?? null
        const known = this.#into.has`SELECT 1 FROM known WHERE key IN (${key}, lower(${documentId}))`
        if (!whole && !known) continue
        this.#item(item, asBuffer(bytes), reading)
        copied += 1
      }
      yield
      if (items.length < AT_ONCE) break
      after = Number(items.at(-1)?.id)
    }
    if (copied === 0 && !whole) return
    const connection = String(sweep.connection)
    this.#sweeps.set(id, connection)
    const apart = (text: string) => this.#cover.apart(text)
    this.#into.insert('INTO sweep', {
      ...sweep,
      problems: inStrings(String(sweep.problems), apart),
      // The position in the service's pages: only of use for continuing.
      walk: 'null',
      // Of all items; the next comparison counts those of the file.
      counts: null,
    })
    const written = (key: unknown) =>
      this.#into.value`SELECT written FROM known WHERE key = ${String(key)} AND written IS NOT NULL`
    for (const row of this.#from.all`SELECT * FROM sweeps.annotation WHERE connection = ${connection}`) {
      const key = written(row.key)
      const covered = (text: unknown) => (typeof text === 'string' ? apart(text) : null)
      if (key !== undefined)
        this.#into.insert('OR IGNORE INTO annotation', {
          ...{ connection, key },
          ...{ note: covered(row.note), ignored: covered(row.ignored) },
        })
    }
    for (const table of ['rebuilt', 'missed'] as const)
      for (const row of table === 'rebuilt'
        ? this.#from.all`SELECT * FROM sweeps.rebuilt WHERE sweep = ${id}`
        : this.#from.all`SELECT * FROM sweeps.missed WHERE sweep = ${id}`) {
        const key = written(row.key)
        if (key !== undefined) this.#copy(table, [{ ...row, key }])
      }
  }

  #item(item: Row, bytes: Buffer, reading: ItemReading): void {
    const [id, plain] = [Number(item.id), bytes.toString()]
    const text = this.#cover.apart(plain)
    const tree = text === plain ? null : scanJson(text)
    // The compared values must be those of the masked item, as those of a masked delivery are.
    const columns = tree && !('problem' in tree) ? itemColumns(readSweepItem(tree, 0, reading)) : null
    this.#into.insert('INTO sweep_item', item)
    if (columns) this.#into.update('sweep_item', columns, sql`id = ${id}`)
    this.#into.insert('INTO sweep_raw', { id, bytes: text === plain ? bytes : Buffer.from(text) })
    const key = String(item.key)
    this.#into.run`INSERT INTO known (key, written) VALUES (${key}, ${columns?.key ?? key})
      ON CONFLICT (key) DO UPDATE SET written = excluded.written`
  }

  #copy(table: string, rows: Iterable<Row>): void {
    for (const row of rows) this.#into.insert(`OR IGNORE INTO ${table}`, row)
  }
}

const OUR_WORDS: ReadonlySet<string> = new Set(['code', 'type', 'route'])

/** Masks the texts in JSON that Acuse wrote. Our own words stay: a member `code` of another sender would be a credential. */
const inStrings = (json: string, mask: (text: string) => string): string =>
  JSON.stringify(
    JSON.parse(json, (key, value: unknown) =>
      typeof value === 'string' && !OUR_WORDS.has(key) ? mask(value) : value,
    ),
  )
