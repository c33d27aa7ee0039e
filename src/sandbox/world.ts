import type { Kind } from '#catalog/kinds.ts'

/** One consequence of an operation, as every matching subscription will be sent it. */
export interface SandboxEvent {
  /** Order of emission; never reused. */
  readonly seq: number
  readonly kind: Kind
  /** What the event is about (document, customer, supplier or product id): deliveries of one subject keep their order. */
  readonly subject: string
  /** The exact body to be sent: the envelope as JSON text. */
  readonly body: string
  /** The operation or scenario that caused it. */
  readonly cause: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface Workspace {
  readonly name: string
  /** Webhooks are dispatched on WEBHOOK_PLAN only; on any other nothing is sent and nothing warns (What the service does, rule 4). */
  readonly plan: string
  /** Offset of Timestamp, such as "-04:00" (sandbox choice: the default). */
  readonly offset: string
}

/** What an operation did. */
export interface OperationResult {
  /** The document, customer, supplier or product concerned. */
  readonly id: string
  readonly events: readonly SandboxEvent[]
}

/** A refusal of an operation or of an admin call: nothing was changed. */
export class SandboxError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409
  readonly code: string
  constructor(status: 400 | 401 | 403 | 404 | 409, code: string, message: string) {
    super(message)
    this.name = 'SandboxError'
    this.status = status
    this.code = code
  }
}

export interface OperationSpec {
  /** kebab-case, as in the admin route: create-invoice, edit-amount, … */
  readonly name: string
  readonly summary: string
  readonly parameters: readonly {
    readonly name: string
    readonly type: 'string' | 'integer' | 'decimal' | 'boolean' | 'uuid'
    readonly required: boolean
    readonly summary: string
    /** The values it may have; absent where it is free. */
    readonly values?: readonly string[]
  }[]
}

export interface ScenarioSpec {
  readonly slug: string
  readonly title: string
  readonly summary: string
  readonly takesCount: boolean
}

/** One step of a scenario. */
export interface ScenarioStep {
  readonly events: readonly SandboxEvent[]
  /** The receiver is to be unreachable while this step's events are sent (`outage-day`). */
  readonly outage: boolean
}

export interface AccountingQuery {
  /** Both inclusive, milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  readonly documentTypeId: number | null
  readonly limit: number
}

export interface TreasuryQuery {
  /** The cursor: issue instant in milliseconds, and the document id after which to go on at that instant. */
  readonly from: number | null
  readonly after: string | null
  readonly to: number | null
  readonly documentTypeId: number | null
  readonly limit: number
}

/** One item of a sync route, as JSON-able data; the laboratory may reshape it. `issuedAt` and `id` are its place in the order. */
export interface SyncItem {
  readonly id: string
  readonly issuedAt: number
  /** The item as JSON text, ready to be sent: parsing and writing a page again would cost most of its time. */
  readonly json: string
  /** The item parsed, anew at each access. */
  readonly item: Readonly<Record<string, unknown>>
}

/** The invoicing service's inside: documents, contacts and products, their rules, and the events that follow from them. */
export interface World {
  workspace(): Workspace
  setWorkspace(change: Partial<Workspace>): Workspace
  readonly operations: readonly OperationSpec[]
  /** @throws SandboxError with a sentence; then nothing was changed and nothing emitted */
  perform(name: string, params: Readonly<Record<string, unknown>>): OperationResult
  /**
   * Emits one event of that kind: by the shortest chain of operations on new documents that leads to it, of which the steps before the last
   * emit nothing (their documents stand in the sync routes all the same); or, with `data`, exactly that content and no operation at all.
   * @param options `overrides`: JSON pointers into the envelope with the values to put there, which change the event, not the document;
   * `seed`: draw its data from a seed of its own instead of going on with the world's
   * @throws SandboxError (400) for content that is no JSON and pointers that lead nowhere; then nothing was changed
   */
  emit(
    kind: Kind,
    options: { data?: unknown; overrides?: ReadonlyMap<string, unknown>; seed?: number },
  ): SandboxEvent
  /**
   * What leads to an event of that kind, from new documents on, with all the events on the way: nothing of it is missed by who gets them all.
   * @returns in order; the one of that kind comes last
   */
  live(kind: Kind): readonly SandboxEvent[]
  /**
   * Emits an event of that kind with exactly this text for a body, whether or not it fits the schema; no operation stands behind it.
   * @throws SandboxError (400) when it is no JSON
   */
  send(kind: Kind, text: string): SandboxEvent
  /** The body that `emit` would make now, indented; nothing is kept. */
  preview(kind: Kind, seed?: number): string
  /**
   * Steps of a scenario, to be taken one after the other: each step performs operations when it is asked for, and gives their events.
   * Ends early when the world is reset or closed meanwhile.
   * @param options `seed`: draw its data from a seed of its own instead of going on with the world's
   * @throws SandboxError at once for an unknown slug (404) or a count out of range (400)
   */
  scenario(slug: string, options: { count?: number; seed?: number }): Iterable<ScenarioStep>
  readonly scenarios: readonly ScenarioSpec[]
  /** By issue date, then document id (sandbox choice); one item more than `limit` tells that more remain. */
  accounting(query: AccountingQuery): readonly SyncItem[]
  /** Receivables and payables only, by issue date, then document id, stable while documents are being added. */
  treasury(query: TreasuryQuery): readonly SyncItem[]
  counts(): { documents: number; customers: number; suppliers: number; products: number; events: number }
  /** Empties everything and starts again from the seed. */
  reset(seed?: number): void
  close(): void
}
