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

/** Names for filters, over `delivery d` joined with `analysis a`: all `a.` columns are NULL until analysis; conditions must say so. */
export const COLUMNS = {
  id: 'd.id',
  endpoint: 'd.endpoint',
  rejected: 'd.rejected',
  /** One of MALFORMED, or NULL for a whole request. */
  malformed: 'd.malformed',
  synthetic: 'd.synthetic',
  /** One of the 28 names, or NULL (unknown event, or not analysed). */
  kind: 'a.kind',
  group: 'a."group"',
  /** Place in VERDICTS (see `verdictRank`), NULL while not analysed. */
  verdict: 'a.verdict',
  /** DocumentId with A-Z lower-cased, or NULL; indexed, so ask with `>=` and `<` for a beginning. */
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
  party: 'a.party',
  /** Instant of Timestamp in microseconds; NULL also for what was rejected or rebuilt. */
  timestamp: 'a.instant',
  /** Sum of MARK_BITS, NULL while not analysed. */
  marks: 'a.marks',
} as const

/** Marks that analysis gives once and for all: it can be thrown away, pins and what is synthetic cannot, and a reset takes drift back. */
export type DerivedMark = Exclude<Mark, 'pinned' | 'synthetic' | 'drift'>

export const MARK_BITS: Readonly<Record<DerivedMark, number>> = {
  duplicate: 1,
  late: 2,
  'out-of-order': 4,
  replay: 8,
}

export const isDerivedMark = (fact: Is): fact is DerivedMark => fact in MARK_BITS

/** The two columns that hold the id of a delivery; a read over `analysis a` alone has only the second. */
export type IdColumn = 'd.id' | 'a.delivery_id'

export const isPinned = (id: IdColumn): Sql => sql`${raw(id)} IN (SELECT delivery_id FROM pin)`

export const hasDrift = (id: IdColumn): Sql => sql`${raw(id)} IN (SELECT delivery_id FROM drift)`

/** Holds (1, else 0) for deliveries that pass a condition, as JSON, once they are opened (opened.ts). */
export const holdsOpened = (id: IdColumn, condition: string): Sql =>
  sql`acuse_holds(${raw(id)}, ${condition})`

/** Holds where the text matches an FTS5 expression. The query binds `:low` and `:high`, or each look-up would gather the whole index. */
export const matchesText = (id: IdColumn, expression: string): Sql =>
  sql`${raw(id)} IN (SELECT rowid FROM search WHERE search MATCH ${expression} AND rowid BETWEEN :low AND :high)`

/** Holds for deliveries that were sent to a target, with any outcome. `attempt` exists on every connection that compiles filters. */
export const hasAttempt = (id: IdColumn, condition: Sql = sql`TRUE`): Sql =>
  sql`${raw(id)} IN (SELECT delivery_id FROM attempt WHERE delivery_id IS NOT NULL AND ${condition})`

/** The same for deliveries whose latest attempt passes a condition on `attempt`. */
export const lastAttempt = (id: IdColumn, condition: Sql): Sql =>
  hasAttempt(
    id,
    sql`${condition} AND NOT EXISTS (SELECT 1 FROM attempt later WHERE later.delivery_id = attempt.delivery_id AND later.id > attempt.id)`,
  )

/** As the indexes of replays.db say it, word for word, or they do not serve. */
export const FAILED_ATTEMPT = raw(`(ok = 0 OR state = ${ATTEMPT_STATES.indexOf('uncertain')})`)

/** Holds for deliveries of a document that missed an event. `missed`, too, exists on every connection that compiles filters. */
export const OF_MISSED = sql`(a.document_key IS NOT NULL AND a.document_key IN (SELECT key FROM missed))`

export const hasNote = (id: IdColumn): Sql => sql`${raw(id)} IN (SELECT delivery_id FROM note)`

/** Holds for deliveries with a tag that passes a condition on `tag.tag`. */
export const hasTag = (id: IdColumn, condition: Sql = sql`TRUE`): Sql =>
  sql`${raw(id)} IN (SELECT delivery_id FROM tag WHERE ${condition})`

/** How a verdict is stored: a small number in rising order, so that "at least a warning" is a comparison. */
export function verdictRank(verdict: Verdict): number {
  return VERDICTS.indexOf(verdict)
}

/** Columns of `rollup_total`: one per verdict, in rising order; one per group, and the last for what has none. */
export const VERDICT_COLUMNS = VERDICTS.map((_, place) => `v${place}`)
export const GROUP_COLUMNS = [...GROUPS.map((_, place) => `g${place}`), `g${GROUPS.length}`]

const PLACES: ReadonlyMap<string, number> = new Map(KINDS.map(({ kind }, place) => [kind, place + 1]))

/** A kind as `rollup.kind_no` has it; 0 for none. */
export const kindNumber = (kind: string | null): number => (kind === null ? 0 : (PLACES.get(kind) ?? 0))

export function kindOfNumber(number: number): { readonly kind: Kind; readonly group: Group } | undefined {
  return KINDS[number - 1]
}

/** The minute since the epoch in which an instant, in microseconds, lies. */
export const minuteOf = (us: number): number => Math.floor(us / 60_000_000)

/** Goes through `rollup.counts`: a sort and how many of it. @param blob as SQLite gives it, wherever it lies in memory */
export function eachCount(blob: unknown, take: (sort: number, n: number) => void): void {
  if (!(blob instanceof Uint8Array)) return
  const aligned = blob.byteOffset % 4 === 0 ? blob : blob.slice()
  const packed = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2)
  for (let at = 0; at + 1 < packed.length; at += 2) take(packed[at] ?? 0, packed[at + 1] ?? 0)
}

export const packCounts = (counts: ReadonlyMap<number, number>): Uint8Array =>
  new Uint8Array(Uint32Array.from([...counts].flat()).buffer)

/** `document.family` is a place in here. */
export const FAMILIES: readonly DocumentFamily[] = ['invoice', 'credit-note', 'debit-note', 'expense']

/** A kind's bit in `document.kinds`; there are 28, and 32-bit sums hold 31. */
export const kindBit = (kind: string): number => 2 ** (kindNumber(kind) - 1)

export const gapsOf = (bits: number): readonly DocumentGap[] =>
  DOCUMENT_GAPS.filter((_, place) => (bits & (2 ** place)) !== 0)

export const gapBits = (gaps: readonly DocumentGap[]): number =>
  gaps.reduce((sum, gap) => sum | (2 ** DOCUMENT_GAPS.indexOf(gap)), 0)

/** Shapes as a text: `string/uuid,null/`. */
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

/** @param blob as SQLite gives it, wherever it lies in memory */
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
