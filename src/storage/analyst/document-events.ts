import { type Kind, kindSpec } from '#catalog/kinds.ts'
import type { Analysis } from '#core/checks/analysis.ts'
import type { Statements } from '../sql/connection.ts'

/** What an event tells of its document's life, as a small number; answers of the tax authority have their StatusId (5 to 8). */
export const STEP = { created: 0, updated: 1, anulated: 2 } as const

/** The step of a kind that tells of a document. */
export function stepOf(kind: Kind): number {
  if (kind.endsWith('.created')) return STEP.created
  if (kind.endsWith('.anulated')) return STEP.anulated
  return kindSpec(kind)?.statusId ?? STEP.updated
}

const INSERT = `INSERT INTO document_event (delivery_id, step, instant, issued_at, document_key, endpoint, kind, document_type,
  status_id, number, party, total, currency, modifies, fingerprint) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

interface Row {
  readonly id: number
  readonly endpoint: string
  /** Microseconds since the epoch. */
  readonly receivedAt: number
}

/** What analysed events say about their documents, in derived.db. */
export class DocumentEvents {
  readonly #statements: Statements
  readonly #observed = new Set<string>()

  constructor(statements: Statements) {
    this.#statements = statements
  }

  /**
   * Keeps one event; nothing of an event that tells of no document.
   * @param documentKey as `analysis` has it
   */
  keep(row: Row, documentKey: string | null, analysis: Analysis): void {
    const { kind, facts, timestamp, statusId, number } = analysis
    if (!facts || kind === null || documentKey === null) return
    this.#statements
      .get(INSERT)
      .run(
        row.id,
        stepOf(kind),
        timestamp?.instant ?? row.receivedAt,
        facts.issuedAt,
        documentKey,
        row.endpoint,
        kind,
        facts.documentType,
        statusId,
        number,
        facts.party,
        facts.total,
        facts.currency,
        facts.modifies,
        facts.fingerprint,
      )
    if (facts.documentType !== null) this.#observe(facts.documentType, kind, row.endpoint)
  }

  forget(id: number): void {
    this.#statements.get('DELETE FROM document_event WHERE delivery_id = ?').run(id)
  }

  /** The transaction was taken back: what it had observed has to be written again. */
  rolledBack(): void {
    this.#observed.clear()
  }

  #observe(type: number, kind: Kind, endpoint: string): void {
    const triple = `${type} ${kind} ${endpoint}`
    if (this.#observed.has(triple)) return
    this.#statements
      .get('INSERT OR IGNORE INTO observed_type (document_type, kind, endpoint) VALUES (?, ?, ?)')
      .run(type, kind, endpoint)
    // Types are a handful; whoever sends ever new ones must not fill the memory.
    if (this.#observed.size >= 10_000) this.#observed.clear()
    this.#observed.add(triple)
  }
}
