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
  }[]
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
   * Emits one event of that kind: by the shortest chain of operations that leads to it, or, with `data`, exactly that content.
   * @param overrides JSON pointers into the envelope with the values to put there
   */
  emit(kind: Kind, options: { data?: unknown; overrides?: ReadonlyMap<string, unknown> }): SandboxEvent
  /** Steps of a scenario, to be taken one after the other: each step performs operations and gives their events. */
  scenario(slug: string, options: { count?: number; seed?: number }): Iterable<readonly SandboxEvent[]>
  readonly scenarios: readonly { slug: string; title: string; summary: string; takesCount: boolean }[]
  /** By issue date, then document id (sandbox choice); one item more than `limit` tells that more remain. */
  accounting(query: AccountingQuery): readonly SyncItem[]
  /** Receivables and payables only, by issue date, then document id, stable while documents are being added. */
  treasury(query: TreasuryQuery): readonly SyncItem[]
  counts(): { documents: number; customers: number; suppliers: number; products: number; events: number }
  /** Empties everything and starts again from the seed. */
  reset(seed?: number): void
  close(): void
}
