import { readTimestamp } from '#catalog/date-time.ts'
import { ACCOUNTING_FIELDS } from '#catalog/fields.ts'
import { type Kind, kindSpec } from '#catalog/kinds.ts'
import type { DocumentFamily } from '#catalog/service.ts'
import { scanJson } from '#core/json/scan.ts'
import { mappedFamilies } from '#core/reconcile/document-types.ts'
import { sameValue } from '#core/reconcile/fingerprint.ts'
import { accountingOf, readItem } from '#core/reconcile/item.ts'
import { judge } from '#core/reconcile/judge.ts'
import type { ComparisonTerms } from '#core/reconcile/ports.ts'
import { keyOf } from '#core/reconcile/sweep-item.ts'
import type { CapturedEvent, Judgement, RemoteDocument } from '#core/reconcile/types.ts'
import type { Planted } from './support.ts'

interface EventBody {
  readonly Event: Kind
  readonly Timestamp?: string
  readonly data: Readonly<Record<string, unknown>> & {
    readonly Accounting?: Readonly<Record<string, unknown>>
  }
}

interface PlainEvent extends CapturedEvent {
  readonly key: string
  readonly modifies: string | null
}

/** Fields in which every document differs that has two values which are not null: at least ten, and half of those compared. */
function fieldsDifferingEverywhere(
  pairs: readonly (readonly [ours: Values, theirs: Values])[],
  zone: string,
): ReadonlySet<string> {
  const differing = [...ACCOUNTING_FIELDS.keys()].filter((field) => {
    const both = pairs.flatMap(([ours, theirs]) => {
      const [a, b] = [ours.get(field), theirs.get(field)]
      return a && b && !(a.source === 'null' && b.source === 'null') ? [[a, b] as const] : []
    })
    return (
      both.length >= 10 && both.length * 2 >= pairs.length && both.every(([a, b]) => !sameValue(a, b, zone))
    )
  })
  return new Set(differing)
}
type Values = RemoteDocument['accounting']

const instantOf = (text: unknown): number | null => {
  const reading = typeof text === 'string' ? readTimestamp(text) : { problem: '' }
  return 'instant' in reading ? reading.instant : null
}

const FAMILIES: readonly (readonly [string, DocumentFamily])[] = [
  ['factura.', 'invoice'],
  ['dgii.', 'invoice'],
  ['nota_credito.', 'credit-note'],
  ['nota_debito.', 'debit-note'],
  ['gasto.', 'expense'],
]
const familyOf = (kind: string) => FAMILIES.find(([prefix]) => kind.startsWith(prefix))?.[1]

/** The comparison written down plainly, over objects, without a database: what the store has to agree with. */
export function plainComparison(
  deliveries: readonly Planted[],
  items: readonly object[],
  range: { readonly from: number; readonly to: number } | null,
  terms: ComparisonTerms,
): ReadonlyMap<string, Judgement> {
  const received = deliveries.flatMap((delivery, at) => {
    const { Event: kind, Timestamp, data } = delivery.body as EventBody
    if (delivery.rejected || delivery.synthetic || !familyOf(kind) || !kindSpec(kind)) return []
    if (terms.endpoints.length > 0 && !terms.endpoints.includes(delivery.endpoint ?? 'default')) return []
    const documented = kindSpec(kind)?.fields.some((field) => field === 'Accounting')
    const tree = scanJson(JSON.stringify(documented ? (data.Accounting ?? {}) : {}))
    if ('problem' in tree) throw new Error('no JSON')
    const event: PlainEvent = {
      deliveryId: at + 1,
      key: String(data.DocumentId).toLowerCase(),
      kind,
      instant: instantOf(Timestamp) ?? delivery.receivedAt ?? 1_790_000_000_000_000 + at + 1,
      number: typeof data.Number === 'string' ? data.Number : null,
      issuedAt: documented ? instantOf(data.Accounting?.IssuedAt) : null,
      documentType: documented ? ((data.Accounting?.DocumentTypeId as number | undefined) ?? null) : null,
      accounting: accountingOf(tree, 0),
      modifies: typeof data.ModifiedReferenceId === 'string' ? data.ModifiedReferenceId.toLowerCase() : null,
    }
    return [event]
  })
  const events = received.toSorted((a, b) => a.instant - b.instant || a.deliveryId - b.deliveryId)
  const families = new Map<number, DocumentFamily>()
  const types = new Map<number, Set<DocumentFamily>>()
  for (const { documentType, kind } of events) {
    const family = familyOf(kind)
    if (documentType !== null && family)
      types.set(documentType, (types.get(documentType) ?? new Set()).add(family))
  }
  for (const [type, found] of types)
    if (found.size === 1) for (const family of found) families.set(type, family)

  const remote = new Map<string, RemoteDocument>()
  for (const item of items) {
    const text = JSON.stringify(item)
    const tree = scanJson(text)
    if ('problem' in tree) throw new Error('no JSON')
    const document = readItem(tree, 0)
    remote.set(keyOf(document, text), document)
  }

  const judged = new Map<string, Judgement>()
  const joined = new Set<string>()
  const how = {
    now: terms.now,
    kinds: terms.kinds && new Set(terms.kinds),
    ignoredFields: new Set(terms.ignoredFields),
    notYetDue: terms.notYetDue,
    zone: terms.zone,
    sweptBefore: Number.POSITIVE_INFINITY,
    ...{ otherIds: false, unidentifiedItems: false },
    itemsByNumber: [...remote.values()].some(({ documentKey }) => documentKey === null),
    families,
    mapped: mappedFamilies(terms.documentTypes),
  }
  const noteAt = (keys: ReadonlySet<string>) =>
    events.findLast(({ modifies }) => modifies !== null && keys.has(modifies))?.instant ?? null
  const keysOf = (key: string, { documentKey, number }: RemoteDocument) =>
    documentKey !== null
      ? new Set([key])
      : new Set(events.filter((event) => event.number !== null && event.number === number).map((e) => e.key))
  const pairs = [...remote].flatMap(([key, document]) => {
    const keys = keysOf(key, document)
    const carrier = events.findLast((event) => keys.has(event.key) && event.accounting.size > 0)
    return carrier && document.accounting.size > 0 ? [[carrier.accounting, document.accounting] as const] : []
  })
  const everywhere = fieldsDifferingEverywhere(pairs, terms.zone)
  const sharedFields = new Set([...everywhere].filter((field) => !how.ignoredFields.has(field)))
  for (const [key, document] of remote) {
    const own = document.documentKey !== null
    const keys = keysOf(key, document)
    for (const one of keys) joined.add(one)
    const mine = events.filter((event) => keys.has(event.key))
    judged.set(
      key,
      judge(
        {
          remote: { document, firstReturnedAt: 1_793_000_000_000 },
          events: mine,
          noteAt: noteAt(keys),
          byNumber: !own,
        },
        { ...how, sharedFields },
      ),
    )
  }
  if (!range) return judged
  for (const key of new Set(events.map((event) => event.key))) {
    if (joined.has(key)) continue
    const mine = events.filter((event) => event.key === key)
    const issued = mine.findLast(({ issuedAt }) => issuedAt !== null)?.issuedAt ?? null
    const inside = (instant: number) => instant >= range.from && instant <= range.to
    if (issued === null ? mine.some(({ instant }) => inside(instant)) : inside(issued))
      judged.set(key, judge({ events: mine, noteAt: null, byNumber: false }, { ...how, sharedFields }))
  }
  return judged
}
