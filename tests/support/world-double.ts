import type { Kind } from '#catalog/kinds.ts'
import type { SandboxEvent } from '#sandbox/domain/records.ts'
import { Refusal } from '#sandbox/domain/refusal.ts'
import type { SyncItem } from '#sandbox/state/sync.ts'
import type { World } from '#sandbox/world/world.ts'

export interface WorldDouble extends World {
  /** Makes an event out of nothing. */
  event(kind: Kind, subject?: string, data?: unknown): SandboxEvent
  /** Puts items on the sync routes. */
  give(items: readonly SyncItem[]): void
}

/** An item as the routes see it. */
export function syncItem(
  n: number,
  issuedAt: number,
  more: Readonly<Record<string, unknown>> = {},
): SyncItem {
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
  const item = {
    DocumentId: id,
    Number: `E31${String(n).padStart(10, '0')}`,
    Accounting: { DocumentTypeId: 31 },
    ...more,
  }
  return { id, issuedAt, json: JSON.stringify(item), item }
}

const NOON = Date.UTC(2026, 0, 15, 16)

/** A world that does nothing by itself: for tests of what stands around it. */
export function worldDouble(): WorldDouble {
  let workspace = { name: 'Prueba', plan: 'Corporativo', offset: '-04:00' }
  let seq = 0
  let items: readonly SyncItem[] = []
  let resets = 0
  const event = (
    kind: Kind,
    subject = `subject-${seq + 1}`,
    data: unknown = { DocumentId: subject },
  ): SandboxEvent => {
    seq += 1
    const body = JSON.stringify({ Event: kind, Timestamp: '2026-01-15T12:00:00-04:00', data })
    return { seq, kind, subject, body, cause: 'test', at: NOON }
  }
  const upTo = (list: readonly SyncItem[], limit: number) =>
    list.toSorted((a, b) => a.issuedAt - b.issuedAt || (a.id < b.id ? -1 : 1)).slice(0, limit + 1)
  return {
    workspace: () => workspace,
    setWorkspace(change) {
      workspace = { ...workspace, ...change }
      return workspace
    },
    operations: [{ name: 'create-invoice', summary: 'Creates an invoice.', parameters: [] }],
    perform(name) {
      if (name !== 'create-invoice')
        throw new Refusal(404, 'unknown-operation', 'There is no such operation.')
      const made = event('factura.created')
      return { id: made.subject, events: [made] }
    },
    emit: (kind, { data }) => event(kind, undefined, data),
    live: (kind) => [event(kind)],
    send: (kind, text) => ({ ...event(kind), body: text }),
    preview: (kind) => JSON.stringify({ Event: kind }),
    *scenario(slug, { count = 3 }) {
      if (slug !== 'accepted') throw new Refusal(404, 'unknown-scenario', 'There is no such scenario.')
      for (let i = 0; i < count; i += 1) yield { events: [event('factura.created')], outage: i === 1 }
    },
    scenarios: [{ slug: 'accepted', title: 'Accepted', summary: 'An invoice.', takesCount: true }],
    accounting: ({ from, to, limit }) =>
      upTo(
        items.filter(({ issuedAt }) => issuedAt >= from && issuedAt <= to),
        limit,
      ),
    treasury: ({ from, after, to, limit }) =>
      upTo(
        items.filter(
          ({ id, issuedAt }) =>
            (from === null || issuedAt > from || (issuedAt === from && (after === null || id > after))) &&
            (to === null || issuedAt <= to),
        ),
        limit,
      ),
    counts: () => ({ documents: items.length, customers: 0, suppliers: 0, products: resets, events: seq }),
    reset() {
      resets += 1
      items = []
    },
    close() {},
    event,
    give(given) {
      items = given
    },
  }
}
