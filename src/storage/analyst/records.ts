import { createHash, hash as hashAtOnce } from 'node:crypto'
import { messageOf } from '#contract/errors.ts'
import { headerOf, pairsOf } from '#contract/headers.ts'
import { REPLAY_HEADER, SYNTHETIC_HEADER, VERDICTS } from '#contract/values.ts'
import type { Analysis, Judged, See } from '#core/checks/analysis.ts'
import { folded } from '#core/filter/values.ts'
import { createMasking, MASKED_NAMES, type Masking } from '#core/masking.ts'
import { collect } from '#threads/garbage.ts'
import { codingsOf, decodeBody } from '../body/codings.ts'
import {
  asBuffer,
  foreignFindings,
  isTooExpensive,
  packFindings,
  READ_LIMIT,
  readBody,
  soundBody,
  storedPieces,
} from '../body/stored-body.ts'
import { kindNumber, MARK_BITS, minuteOf, verdictRank } from '../sql/columns.ts'
import { RecentlyUsed, type Statements, textOrNull } from '../sql/connection.ts'
import { unpackHeaders } from '../wire/record.ts'
import { DocumentEvents, DocumentList, storedEvents } from './documents.ts'
import { ObservedKinds } from './observed.ts'
import { Rollup } from './rollup.ts'

/** A body of at least this many bytes is marked before its analysis (attempts.ts). */
const HEAVY = 1024 * 1024
/** After a body of at least this many bytes, garbage is collected at once. */
const LARGE = HEAVY / 4

/** A delivery is late when it arrives more than five minutes after its Timestamp (readings, Delivery). */
const LATE_US = 5 * 60 * 1_000_000
/** Endpoints whose bits are cached. */
const ENDPOINTS_KEPT = 200

/** Writes the results of single deliveries into derived.db, with the counts and lists that depend on them. */
export class Records {
  readonly #source: Statements
  readonly #target: Statements
  readonly #documents: DocumentEvents
  readonly #rollup: Rollup
  readonly #list: DocumentList
  readonly observed: ObservedKinds
  readonly #analyse: (judged: Judged, see?: See) => Analysis
  /** Whether captured.db comes from a session file, with results of the Acuse that wrote it. */
  readonly #hasJudged: boolean
  readonly #endpoints = new RecentlyUsed<bigint>(ENDPOINTS_KEPT)
  #maskedNames: readonly string[] = MASKED_NAMES
  readonly #masking = createMasking(() => this.#maskedNames)

  constructor(source: Statements, target: Statements, analyse: (judged: Judged, see?: See) => Analysis) {
    this.#source = source
    this.#target = target
    this.#analyse = analyse
    this.#hasJudged = source.has`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'judged'`
    this.#documents = new DocumentEvents(target)
    this.#rollup = new Rollup(target)
    this.#list = new DocumentList(target)
    this.observed = new ObservedKinds(target)
  }

  /** @param names from `maskedNamesOf`; deliveries analysed from now on are not indexed with the masked values */
  hide(names: readonly string[]): void {
    if (names.join() !== this.#maskedNames.join()) this.#maskedNames = names
  }

  /** Analyses one delivery and stores the result; counts wait for `write`. @param again its kind's profile already counts this delivery */
  store(row: CapturedRow, again = false): void {
    const { headers } = row
    // Rejected and rebuilt deliveries must not count as received ones.
    const apart = row.rejected || row.synthetic
    const replay = headerOf(headers, REPLAY_HEADER.toLowerCase()) !== null
    // A delivery that we rebuilt and sent to a target may arrive here again; it is not from the service.
    const back = !row.synthetic && headerOf(headers, SYNTHETIC_HEADER.toLowerCase()) !== null
    const { analysis: judged, bits } = this.#judge(
      row,
      !again && !apart && !replay && !row.malformed && !row.imported,
    )
    const given = this.#hasJudged ? judgedBefore(this.#source, row.id) : null
    const analysis = given ? { ...judged, ...given.analysis } : judged
    const instant = apart ? null : (analysis.timestamp?.instant ?? null)
    const documentKey = analysis.documentId === null ? null : lower(analysis.documentId)
    const body = apart || bits === null ? null : bits ^ this.#endpointBits(row.endpoint)
    const marks = given?.marks ?? (apart ? 0 : this.#marks(row, replay, body, documentKey, instant))
    const verdict = verdictRank(analysis.verdict)
    const minute = minuteOf(row.receivedAt)
    const names = analysis.party === null ? null : folded(analysis.party)
    const document =
      row.rejected || back ? null : this.#list.keepAnalysed(row, documentKey, names, analysis, verdict, marks)
    const told = document === null ? null : analysis.facts
    // Not OR REPLACE: its look-up costs seven times the insertion, and no row exists, as progress is saved in the same transaction.
    this.#target
      .run`INSERT INTO analysis (delivery_id, event, kind, "group", document_id, document_key, number,
        status_id, timestamp, instant, verdict, finding_count, marks, endpoint, body, minute, names,
        document, party, total, currency)
        VALUES (${row.id}, ${analysis.event}, ${analysis.kind}, ${analysis.group}, ${analysis.documentId},
        ${documentKey}, ${analysis.number}, ${analysis.statusId}, ${analysis.timestamp?.text ?? null},
        ${instant}, ${verdict}, ${analysis.findingCount}, ${marks}, ${row.endpoint}, ${body},
        ${minute}, ${names}, ${document},
        ${told?.party ?? null}, ${told?.total ?? null}, ${told?.currency ?? null})`
    this.#rollup.count({ minute, endpoint: row.endpoint, kindNo: kindNumber(analysis.kind), verdict }, 1)
    if (!apart && !back) this.#documents.keep(row, documentKey, analysis)
    if (analysis.findings.length > 0)
      this.#target
        .run`INSERT INTO findings (delivery_id, packed) VALUES (${row.id}, ${packFindings(analysis.findings)})`
    this.#target.run`INSERT INTO search (rowid, text) VALUES (${row.id},
        ${searchable(analysis.searchText, row.url, headers, this.#masking)})`
  }

  forget(id: number): void {
    this.#rollup.forget(id)
    this.#list.forget(id)
    this.#target.run`DELETE FROM analysis WHERE delivery_id = ${id}`
    this.#target.run`DELETE FROM findings WHERE delivery_id = ${id}`
    this.#target.run`DELETE FROM search WHERE rowid = ${id}`
    this.#documents.forget(id)
  }

  /** Writes the counts of this transaction; call it last. */
  write(): void {
    this.#rollup.write()
    this.#list.write((key) => storedEvents(this.#source, this.#target, key))
    this.observed.write()
  }

  /** Call after a rollback: drops what the transaction left in memory. */
  rolledBack(): void {
    this.#documents.rolledBack()
    this.#rollup.rolledBack()
    this.#list.rolledBack()
    this.observed.rolledBack()
  }

  /** When the analysis of a delivery fails, its result is "unreadable" with the reason; it must never stop the later deliveries. */
  #judge(row: CapturedRow, teaches: boolean): { analysis: Analysis; bits: bigint | null } {
    const see: See = (kind, tree) => this.observed.see(row.id, row.receivedAt, kind, tree)
    const judged = (body: Judged['body']): Judged => ({
      method: row.method,
      contentType: headerOf(row.headers, 'content-type'),
      body,
    })
    try {
      if (isRisky(row) && isTooExpensive(this.#target, row.id))
        return { analysis: this.#analyse(judged({ unread: 'body-too-expensive', params: {} })), bits: null }
      if (row.upload !== null && row.size > READ_LIMIT) {
        const params = { found: row.size, limit: READ_LIMIT }
        return {
          analysis: this.#analyse(judged({ unread: 'body-too-large', params })),
          bits: bitsOfPieces(storedPieces(this.#source, row)),
        }
      }
      const raw = row.upload === null ? row.body() : readBody(this.#source, row)
      const body = decodeBody(raw, row.codings)
      const bytes = 'bytes' in body ? body.bytes : raw
      const large = 'tooLarge' in body || bytes.length >= LARGE
      if (large) collect()
      const read = 'tooLarge' in body ? { unread: 'decoded-too-large' as const, params: body.tooLarge } : body
      const analysis = this.#analyse(judged(read), teaches ? see : undefined)
      if (large) collect()
      // Of requests without a body, such as a probe, none repeats another.
      return { analysis, bits: bytes.length === 0 ? null : bitsOf(bytes) }
    } catch (error) {
      if (error instanceof Error && 'errcode' in error) throw error
      const reason = messageOf(error)
      return { analysis: this.#analyse(judged({ undecodable: { coding: '', reason } })), bits: null }
    }
  }

  /** Combined with the bits of a body, so that equal bodies of two endpoints differ. */
  #endpointBits(endpoint: string): bigint {
    return this.#endpoints.get(endpoint, () => bitsOf(endpoint))
  }

  #marks(
    row: CapturedRow,
    replay: boolean,
    body: bigint | null,
    documentKey: string | null,
    instant: number | null,
  ): number {
    const duplicate =
      body !== null &&
      this.#target.has`SELECT 1 FROM analysis WHERE body = ${body} AND delivery_id < ${row.id} LIMIT 1`
    const late = instant !== null && row.receivedAt - instant > LATE_US
    const outOfOrder =
      instant !== null &&
      documentKey !== null &&
      this.#target.has`SELECT 1 FROM analysis WHERE document_key = ${documentKey} AND instant > ${instant}
          AND delivery_id < ${row.id} LIMIT 1`
    return (
      (duplicate ? MARK_BITS.duplicate : 0) |
      (late ? MARK_BITS.late : 0) |
      (outOfOrder ? MARK_BITS['out-of-order'] : 0) |
      (replay ? MARK_BITS.replay : 0)
    )
  }
}

/** 64 bits of a body's hash: an index of whole hashes would cost a tenth of the analysis. */
const bitsOf = (bytes: string | Uint8Array): bigint => hashAtOnce('sha256', bytes, 'buffer').readBigInt64LE()

const EVERY_MARK = Object.values(MARK_BITS).reduce((sum, bit) => sum | bit)

/** The results that a session file gives a delivery: masked, the body could get others. Null for a value that no Acuse writes. */
function judgedBefore(source: Statements, id: number) {
  const row = source.one`SELECT verdict, finding_count, marks, packed FROM judged WHERE delivery_id = ${id}`
  const verdict = VERDICTS.find((known) => known === row?.verdict)
  const findings = row && foreignFindings(row.packed)
  if (!row || !verdict || !findings) return null
  const analysis = { verdict, findings, findingCount: Number(row.finding_count) }
  return { analysis, marks: Number(row.marks) & EVERY_MARK }
}

export const isRisky = ({ size, codings }: CapturedRow): boolean => size >= HEAVY || codings.length > 0

function bitsOfPieces(pieces: Iterable<Buffer>): bigint {
  const hash = createHash('sha256')
  let read = 0
  for (const piece of pieces) {
    hash.update(piece)
    read += piece.length
    if (read < 8 * HEAVY) continue
    read = 0
    collect()
  }
  return hash.digest().readBigInt64LE()
}

/** A-Z only: toLowerCase would also fold letters that the filter language distinguishes. */
function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Characters of indexed text per delivery, with the text chosen by analysis (at most 16 KiB), so that none can swell the index. */
const MOST = 24 * 1024

/** Text to index: values chosen from the body, the request target and header values, without credentials. */
function searchable(searchText: string, url: string, headers: readonly string[], masking: Masking): string {
  const values: string[] = []
  for (const [name, value] of pairsOf(headers)) {
    const shown = masking.header({ name, value })
    if (!shown.masked) values.push(shown.value)
  }
  return `${searchText}\n${masking.target(url)}\n${values.join('\n')}`.slice(0, MOST)
}

export type CapturedRow = ReturnType<typeof capturedRows> extends Generator<infer Row> ? Row : never

export function* capturedRows(statements: Statements, after: number, limit: number) {
  const rows = statements.eachList`SELECT d.id, d.received_at, d.endpoint, d.method, d.url, d.rejected, d.synthetic,
    EXISTS (SELECT 1 FROM imported WHERE delivery_id = d.id), d.malformed, d.upload, d.size, p.headers, p.trailers, p.body, p.crc
    FROM delivery d JOIN payload p ON p.delivery_id = d.id WHERE d.id > ${after} ORDER BY d.id LIMIT ${limit}`
  for (const row of rows) {
    const [id, receivedAt, endpoint, method, url, rejected, synthetic, imported, malformed, upload, size] =
      row
    const [headers, trailers, body, crc] = row.slice(11)
    const unpacked = unpackHeaders(asBuffer(headers))
    yield {
      id: Number(id),
      receivedAt: Number(receivedAt),
      size: Number(size),
      endpoint: String(endpoint),
      method: String(method),
      url: String(url),
      rejected: rejected === 1,
      synthetic: synthetic === 1,
      imported: imported === 1,
      malformed: malformed !== null,
      upload: textOrNull(upload),
      headers: unpacked,
      codings: codingsOf(unpacked),
      body: () => soundBody(Number(id), { headers, trailers, body, crc }),
    }
  }
}
