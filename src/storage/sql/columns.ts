import { GROUPS, type Group, KINDS, type Kind } from '#catalog/kinds.ts'
import type { DocumentFamily } from '#catalog/service.ts'
import type { Mark, Verdict } from '#contract/delivery.ts'
import type { DocumentGap } from '#contract/documents.ts'
import type { Shape } from '#contract/drift.ts'
import { ATTEMPT_STATES, DOCUMENT_GAPS, VERDICTS } from '#contract/values.ts'
import { FORMS, formOf } from '#core/drift/forms.ts'
import type { PackedCounts, Slot } from '#core/drift/profile.ts'
import type { Is } from '#core/filter/tree.ts'
import { columns, raw, type Sql, type Statements, sql, textOrNull } from './connection.ts'

/** Columns for filters, over `delivery d` joined with `analysis a`. Conditions must handle that `a.` columns are NULL until analysis. */
export const COLUMNS = {
  id: 'd.id',
  endpoint: 'd.endpoint',
  rejected: 'd.rejected',
  /** One of MALFORMED, or NULL for a well-formed request. */
  malformed: 'd.malformed',
  synthetic: 'd.synthetic',
  /** One of the 28 names, or NULL (unknown event, or not analysed). */
  kind: 'a.kind',
  group: 'a."group"',
  /** Index into VERDICTS (see `verdictRank`), NULL while not analysed. */
  verdict: 'a.verdict',
  /** DocumentId with A-Z lower-cased, or NULL. Indexed: query a prefix with `>=` and `<`. */
  documentKey: 'a.document_key',
  /** Microseconds since the epoch. */
  received: 'd.received_at',
  method: 'd.method',
  size: 'd.size',
  answer: 'd.answer_status',
  /** Microseconds, or NULL. */
  took: 'd.took_us',
  status: 'a.status_id',
  number: 'a.number',
  /** Names and tax ids of customer and supplier, folded, one per line; or NULL. */
  party: 'a.names',
  /** Instant of Timestamp in microseconds; NULL also for rejected and rebuilt deliveries. */
  timestamp: 'a.instant',
  /** Sum of MARK_BITS, NULL while not analysed. */
  marks: 'a.marks',
} as const

/** Permanent marks of analysis. `pinned`, `synthetic` and `imported` are not derived, and a reset takes `drift` back. */
export type DerivedMark = Exclude<Mark, 'pinned' | 'synthetic' | 'imported' | 'drift'>

export const MARK_BITS: Readonly<Record<DerivedMark, number>> = {
  duplicate: 1,
  late: 2,
  'out-of-order': 4,
  replay: 8,
}

export const isDerivedMark = (fact: Is): fact is DerivedMark => fact in MARK_BITS

/** The columns with a delivery's id; a query over `analysis a` alone has only the second. */
export type IdColumn = 'd.id' | 'a.delivery_id'

export const isPinned = (id: IdColumn): Sql => sql`${raw(id)} IN (SELECT delivery_id FROM pin)`

export const isImported = (id: IdColumn): Sql => sql`${raw(id)} IN (SELECT delivery_id FROM imported)`

export const hasDrift = (id: IdColumn): Sql => sql`${raw(id)} IN (SELECT delivery_id FROM drift)`

/** 1 for deliveries whose payload or findings meet a condition, given as JSON, else 0 (body/opened.ts). */
export const holdsOpened = (id: IdColumn, condition: string): Sql =>
  sql`acuse_holds(${raw(id)}, ${condition})`

/** Deliveries whose text matches an FTS5 expression. The query must bind `:low` and `:high`, or each look-up would read the whole index. */
export const matchesText = (id: IdColumn, expression: string): Sql =>
  sql`${raw(id)} IN (SELECT rowid FROM search WHERE search MATCH ${expression} AND rowid BETWEEN :low AND :high)`

/** Deliveries with an attempt of any outcome. The table `attempt` exists on every connection that runs filters. */
export const hasAttempt = (id: IdColumn, condition: Sql = sql`TRUE`): Sql =>
  sql`${raw(id)} IN (SELECT delivery_id FROM attempt WHERE delivery_id IS NOT NULL AND ${condition})`

/** Deliveries whose latest attempt meets a condition on `attempt`. */
export const lastAttempt = (id: IdColumn, condition: Sql): Sql =>
  hasAttempt(
    id,
    sql`${condition} AND NOT EXISTS (SELECT 1 FROM attempt later WHERE later.delivery_id = attempt.delivery_id AND later.id > attempt.id)`,
  )

/** Must equal the condition in the partial indexes of replays.db literally, or SQLite does not use them. */
export const FAILED_ATTEMPT = raw(`(ok = 0 OR state = ${ATTEMPT_STATES.indexOf('uncertain')})`)

/** Deliveries of a document with a missed event. The table `missed` exists on every connection that runs filters. */
export const OF_MISSED = sql`(a.document_key IS NOT NULL AND a.document_key IN (SELECT key FROM missed))`

export const hasNote = (id: IdColumn): Sql => sql`${raw(id)} IN (SELECT delivery_id FROM note)`

/** Deliveries with a tag that meets a condition on `tag.tag`. */
export const hasTag = (id: IdColumn, condition: Sql = sql`TRUE`): Sql =>
  sql`${raw(id)} IN (SELECT delivery_id FROM tag WHERE ${condition})`

/** The stored number of a verdict. It rises with severity, so that "at least a warning" is a comparison. */
export function verdictRank(verdict: Verdict): number {
  return VERDICTS.indexOf(verdict)
}

/** Columns of `rollup_total`: one per verdict, in rising order; one per group, and a last one for no group. */
export const VERDICT_COLUMNS = VERDICTS.map((_, place) => `v${place}`)
export const GROUP_COLUMNS = [...GROUPS.map((_, place) => `g${place}`), `g${GROUPS.length}`]

const PLACES: ReadonlyMap<string, number> = new Map(KINDS.map(({ kind }, place) => [kind, place + 1]))

/** The `kind_no` of a kind; 0 for no kind. */
export const kindNumber = (kind: string | null): number => (kind === null ? 0 : (PLACES.get(kind) ?? 0))

export function kindOfNumber(number: number): { readonly kind: Kind; readonly group: Group } | undefined {
  return KINDS[number - 1]
}

/** @param us instant in microseconds @returns its minute since the epoch */
export const minuteOf = (us: number): number => Math.floor(us / 60_000_000)

/** Reads the pairs of `rollup.counts`: id of a sort, number of deliveries. @param blob from SQLite, with any alignment */
export function eachCount(blob: unknown, take: (sort: number, n: number) => void): void {
  if (!(blob instanceof Uint8Array)) return
  const aligned = blob.byteOffset % 4 === 0 ? blob : blob.slice()
  const packed = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2)
  for (let at = 0; at + 1 < packed.length; at += 2) take(packed[at] ?? 0, packed[at + 1] ?? 0)
}

export const packCounts = (counts: ReadonlyMap<number, number>): Uint8Array =>
  new Uint8Array(Uint32Array.from([...counts].flat()).buffer)

/** `document.family` is an index into this list. */
export const FAMILIES: readonly DocumentFamily[] = ['invoice', 'credit-note', 'debit-note', 'expense']

/** A kind's bit in `document.kinds`; the 28 kinds fit into 31 bits. */
export const kindBit = (kind: string): number => 2 ** (kindNumber(kind) - 1)

export const gapsOf = (bits: number): readonly DocumentGap[] =>
  DOCUMENT_GAPS.filter((_, place) => (bits & (2 ** place)) !== 0)

export const gapBits = (gaps: readonly DocumentGap[]): number =>
  gaps.reduce((sum, gap) => sum | (2 ** DOCUMENT_GAPS.indexOf(gap)), 0)

/** Encodes shapes as text: `string/uuid,null/`. */
export const packShapes = (shapes: readonly Shape[]): string =>
  shapes.map(({ type, format }) => `${type}/${format ?? ''}`).join(',')

export function unpackShapes(packed: unknown): readonly Shape[] {
  if (typeof packed !== 'string' || packed === '') return []
  return packed.split(',').flatMap((one) => {
    const [type = '', format = ''] = one.split('/')
    return FORMS[formOf(type, format === '' ? null : format)] ?? []
  })
}

export const SLOT_COLUMNS = 'slot, pointer, type, format, value, first_id, first_at'

const toSlot = (row: Readonly<Record<string, unknown>>): Slot => ({
  ...columns(row, Number, 'slot', 'firstId', 'firstAt'),
  place: String(row.pointer),
  type: String(row.type) as Slot['type'],
  format: textOrNull(row.format) as Slot['format'],
  value: textOrNull(row.value),
})

/** @param blob from SQLite, with any alignment */
function unpackSlotCounts(blob: unknown): PackedCounts {
  if (!(blob instanceof Uint8Array)) return new Float64Array()
  return new Float64Array(blob.slice().buffer)
}

export function observedOf(statements: Statements, kind: Kind) {
  const number = kindNumber(kind)
  const slots =
    statements.all`SELECT ${raw(SLOT_COLUMNS)} FROM observed WHERE kind_no = ${number} ORDER BY slot`.map(
      toSlot,
    )
  const row = statements.one`SELECT counts, unrecorded FROM observed_count WHERE kind_no = ${number}`
  return [slots, unpackSlotCounts(row?.counts), Number(row?.unrecorded ?? 0)] as const
}

export const packSlotCounts = (counts: PackedCounts): Uint8Array =>
  new Uint8Array(counts.buffer, counts.byteOffset, counts.byteLength)
