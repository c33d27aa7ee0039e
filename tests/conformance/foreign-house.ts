import { onTestFinished } from 'vitest'
import type { ForeignDocument, ForeignEvent } from '../support/foreign-ledger.ts'
import { foreignEvents } from '../support/foreign-ledger.ts'
import { type ForeignKnobs, type ForeignService, foreignService } from '../support/foreign-service.ts'
import { type ForeignTruth, foreignTruth } from '../support/foreign-truth.ts'
import { connect, type House, house, type Printed, type Reconciling, reconciling } from './reconcile-house.ts'

/** A host that captured what a foreign service sent, less what was lost, with the connection "erp" to that service. */
export interface ForeignHouse extends House, Reconciling {
  readonly service: ForeignService
  readonly captured: readonly ForeignEvent[]
  /** By document id. */
  readonly truth: ReadonlyMap<string, ForeignTruth>
}

/** @param loses whether an event never reached the receiver */
export async function foreignHouse(
  documents: readonly ForeignDocument[],
  knobs: Partial<ForeignKnobs> = {},
  loses: (event: ForeignEvent, nth: number) => boolean = () => false,
): Promise<ForeignHouse> {
  const service = await foreignService(documents, knobs)
  onTestFinished(service.close)
  const home = await house()
  const captured = documents.flatMap(foreignEvents).filter((event, nth) => !loses(event, nth))
  await deliver(
    home.receiverUrl,
    captured.map(({ body }) => body),
  )
  await connect(home, service.url)
  return {
    ...{ ...home, ...reconciling(home, '2026-10-01', '2026-10-31') },
    ...{ service, captured, truth: foreignTruth(documents, captured) },
  }
}

/** Sends bodies to a receiver one after the other, eight at a time. */
export async function deliver(url: string, bodies: readonly string[]): Promise<void> {
  const waiting = bodies.values()
  const worker = async () => {
    for (const body of waiting) {
      const { status } = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      })
      if (status !== 200) throw new Error(`answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

/** What the comparison says of every document that is not matched, by id in lower case. */
export const saidOf = ({ rows }: Printed): ReadonlyMap<string, ForeignTruth> =>
  new Map(
    rows.map((row) => [
      plainId(row.documentId ?? row.number ?? ''),
      {
        class: row.class as ForeignTruth['class'],
        rules: [...new Set(row.missed.map(({ rule }) => rule))].sort(),
      },
    ]),
  )

/** However the service wrote it. */
export const plainId = (id: string): string =>
  id
    .toLowerCase()
    .replace(/[{}-]/g, '')
    .replace(/^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/, '$1-$2-$3-$4-$5')

/** The truth of every document that is not matched. */
export const unmatched = (truth: ReadonlyMap<string, ForeignTruth>): ReadonlyMap<string, ForeignTruth> =>
  new Map([...truth].filter(([, one]) => one.class !== 'matched'))
