import { type Kind, kindSpec } from '#catalog/kinds.ts'
import type { Analysis } from '#core/checks/analysis.ts'
import type { NewDelivery } from '#core/ports.ts'
import { familyOfKind } from '#core/reconcile/documents.ts'
import { FAMILIES, kindBit, kindNumber } from '../sql/columns.ts'
import { columns, numberOrNull, Queries, type Statements, textOrNull } from '../sql/connection.ts'

/** Columns taken from the later of two events, unless it has no value. */
const LATEST = ['number', 'party', 'names', 'total', 'currency', 'status_id'] as const
const EARLIEST = ['created_at', 'updated_at', 'status_at', 'voided_at'] as const
const BITS = ['kinds', 'verdicts', 'marks'] as const
const SUMS = ['events', 'recovered'] as const
const COLUMNS = [
  'id',
  'key',
  'document_id',
  'family',
  'last_kind',
  'first_at',
  'last_at',
  ...LATEST,
  ...EARLIEST,
  ...BITS,
  ...SUMS,
] as const

/** A row of `document`, made from one event or summed over several. */
type Told = Record<'key' | 'document_id', string> &
  Record<(typeof LATEST)[number], string | number | null> &
  Record<(typeof EARLIEST)[number], number | null> &
  Record<'id' | 'family' | 'last_kind' | 'first_at' | 'last_at' | (typeof BITS | typeof SUMS)[number], number>

const KEEP = `INSERT INTO document (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${[
    ...LATEST.map(
      (name) =>
        `${name} = CASE WHEN excluded.last_at >= last_at THEN coalesce(excluded.${name}, ${name}) ELSE coalesce(${name}, excluded.${name}) END`,
    ),
    'last_kind = CASE WHEN excluded.last_at >= last_at THEN excluded.last_kind ELSE last_kind END',
    ...EARLIEST.map(
      (name) => `${name} = coalesce(min(${name}, excluded.${name}), ${name}, excluded.${name})`,
    ),
    ...BITS.map((name) => `${name} = ${name} | excluded.${name}`),
    ...SUMS.map((name) => `${name} = ${name} + excluded.${name}`),
    'first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)',
  ].join(', ')}`

type Row = Required<Pick<NewDelivery, 'endpoint' | 'receivedAt' | 'synthetic'>> & { readonly id: number }

export interface Event {
  readonly key: string
  readonly documentId: string
  readonly kind: Kind
  readonly facts: Pick<NonNullable<Analysis['facts']>, 'party' | 'total' | 'currency'>
  /** Names and tax ids of customer and supplier, folded. */
  readonly names: string | null
  readonly number: string | null
  readonly statusId: number | null
  /** Index into VERDICTS. */
  readonly verdict: number
  readonly marks: number
  readonly instant: number
  /** Rebuilt, not received: the event contributes facts, but fills no gap. */
  readonly synthetic: boolean
}

/** Maintains one row per document. It sums the events of a transaction in memory first, as a document's events often arrive together. */
export class DocumentList extends Queries {
  readonly #told = new Map<string, Told>()
  readonly #stale = new Set<string>()
  #highest: number | undefined

  /** Adds an analysed delivery, if it is an event of a document. @param verdict index into VERDICTS @returns the document's row id */
  keepAnalysed(
    { receivedAt, synthetic }: Row,
    key: string | null,
    names: string | null,
    { kind, facts, documentId, number, statusId, timestamp }: Analysis,
    verdict: number,
    marks: number,
  ): number | null {
    if (!facts || kind === null || key === null || documentId === null) return null
    const instant = timestamp?.instant ?? receivedAt
    const said = { kind, facts, names, number, statusId, verdict, marks }
    return this.#keep({ ...said, key, documentId, instant, synthetic })
  }

  #keep(event: Event, id?: unknown): number | null {
    const family = familyOfKind(event.kind)
    if (!family) return null
    const known = this.#told.get(event.key)
    const told = toldBy(event, FAMILIES.indexOf(family), known?.id ?? this.#idOf(event.key, id))
    this.#told.set(event.key, known ? joined(known, told) : told)
    return told.id
  }

  #idOf(key: string, former?: unknown): number {
    const known = former ?? this.db.value`SELECT id FROM document WHERE key = ${key}`
    if (typeof known === 'number') return known
    this.#highest = (this.#highest ?? this.db.number`SELECT max(id) FROM document`) + 1
    return this.#highest
  }

  /** Marks the document of a deleted delivery; `write` then sums its remaining events anew. Call it before deleting the delivery's row. */
  forget(id: number): void {
    const row = this.db.one`SELECT document_key AS key, document FROM analysis WHERE delivery_id = ${id}`
    if (typeof row?.document === 'number') this.#stale.add(String(row.key))
  }

  /** Writes the rows of this transaction. @param events reads the stored events of a document, in order of arrival */
  write(events: (key: string) => Iterable<Event>): void {
    for (const key of this.#stale) {
      const added = this.#told.get(key)?.id
      this.#told.delete(key)
      // The analyses of its other deliveries refer to it by its id.
      const stored = this.db.value`DELETE FROM document WHERE key = ${key} RETURNING id`
      for (const event of events(key)) this.#keep(event, added ?? stored)
    }
    this.#stale.clear()
    for (const told of this.#told.values()) this.db.get(KEEP).run(...COLUMNS.map((name) => told[name]))
    this.#told.clear()
  }

  rolledBack(): void {
    this.#told.clear()
    this.#stale.clear()
  }
}

function toldBy(event: Event, family: number, id: number): Told {
  const { key, number, names, instant, synthetic, marks } = event
  const step = stepOf(event.kind)
  const at = (wanted: boolean): number | null => (wanted && !synthetic ? instant : null)
  return {
    id,
    key,
    document_id: event.documentId,
    family,
    party: event.facts.party,
    total: event.facts.total,
    currency: event.facts.currency,
    number,
    names,
    status_id: event.statusId,
    last_kind: kindNumber(event.kind),
    kinds: kindBit(event.kind),
    verdicts: 2 ** event.verdict,
    marks,
    events: synthetic ? 0 : 1,
    recovered: synthetic ? 1 : 0,
    first_at: instant,
    last_at: instant,
    created_at: at(step === STEP.created),
    updated_at: at(step === STEP.updated),
    status_at: at(step > STEP.anulated),
    voided_at: at(step === STEP.anulated),
  }
}

/** Does in memory what KEEP does in SQL. */
function joined(first: Told, second: Told): Told {
  const [later, earlier] = second.last_at >= first.last_at ? [second, first] : [first, second]
  const { document_id, family } = first
  const told: Told = { ...later, document_id, family, first_at: Math.min(first.first_at, second.first_at) }
  for (const name of LATEST) told[name] ??= earlier[name]
  for (const name of EARLIEST) {
    const other = earlier[name] ?? told[name]
    told[name] = other === null ? null : Math.min(told[name] ?? other, other)
  }
  for (const name of BITS) told[name] |= earlier[name]
  for (const name of SUMS) told[name] += earlier[name]
  return told
}

/** Stored events of a document in order of arrival, without rejected ones. `captured` tells received from rebuilt deliveries. */
export function* storedEvents(captured: Statements, derived: Statements, key: string): Generator<Event> {
  const rows = derived.all`SELECT a.delivery_id, a.kind, a.document_id, a.number, a.status_id, a.instant,
    a.verdict, a.marks, a.names, e.delivery_id AS received, e.instant AS at, a.party, a.total,
    a.currency FROM analysis a LEFT JOIN document_event e ON e.delivery_id = a.delivery_id
    WHERE a.document_key = ${key} ORDER BY a.delivery_id`
  const delivery = captured.get('SELECT received_at, rejected, synthetic FROM delivery WHERE id = ?')
  for (const row of rows) {
    const spec = kindSpec(String(row.kind))
    if (!spec) continue
    const synthetic = row.received === null
    const stored = synthetic ? delivery.get(Number(row.delivery_id)) : undefined
    if (synthetic && stored?.synthetic !== 1) continue
    yield {
      key,
      documentId: String(row.document_id),
      kind: spec.kind,
      facts: columns(row, textOrNull, 'party', 'total', 'currency'),
      names: textOrNull(row.names),
      number: textOrNull(row.number),
      statusId: numberOrNull(row.status_id),
      verdict: Number(row.verdict),
      marks: Number(row.marks),
      instant: Number(row.at ?? row.instant ?? stored?.received_at ?? 0),
      synthetic,
    }
  }
}

/** Steps of a document's life. The step of an answer of the tax authority is its StatusId (5 to 8). */
export const STEP = { created: 0, updated: 1, anulated: 2 } as const

export function stepOf(kind: Kind): number {
  if (kind.endsWith('.created')) return STEP.created
  if (kind.endsWith('.anulated')) return STEP.anulated
  return kindSpec(kind)?.statusId ?? STEP.updated
}

export class DocumentEvents extends Queries {
  readonly #observed = new Set<string>()

  /** Stores one event, if it belongs to a document. */
  keep(row: Row, documentKey: string | null, analysis: Analysis): void {
    const { kind, facts, timestamp, statusId, number } = analysis
    if (!facts || kind === null || documentKey === null) return
    const { issuedAt, documentType, modifies, fingerprint } = facts
    this.db.insert('INTO document_event', {
      issuedAt,
      documentType,
      modifies,
      fingerprint,
      deliveryId: row.id,
      step: stepOf(kind),
      instant: timestamp?.instant ?? row.receivedAt,
      documentKey,
      endpoint: row.endpoint,
      kind,
      statusId,
      number,
    })
    if (facts.documentType !== null) this.#observe(facts.documentType, kind, row.endpoint)
  }

  forget(id: number): void {
    this.db.run`DELETE FROM document_event WHERE delivery_id = ${id}`
  }

  /** Call after a rollback: the triples that it undid have to be written again. */
  rolledBack(): void {
    this.#observed.clear()
  }

  #observe(type: number, kind: Kind, endpoint: string): void {
    const triple = `${type} ${kind} ${endpoint}`
    if (this.#observed.has(triple)) return
    this.db
      .run`INSERT OR IGNORE INTO observed_type (document_type, kind, endpoint) VALUES (${type}, ${kind}, ${endpoint})`
    // Only a handful of types exist; a sender that invents new ones must not fill the memory.
    if (this.#observed.size >= 10_000) this.#observed.clear()
    this.#observed.add(triple)
  }
}
