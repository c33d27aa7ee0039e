import { request } from 'node:http'
import { onTestFinished } from 'vitest'
import type { ForeignDocument, ForeignEvent } from '../support/foreign-ledger.ts'
import { foreignEvents } from '../support/foreign-ledger.ts'
import { type ForeignKnobs, type ForeignService, foreignService } from '../support/foreign-service.ts'
import { type ForeignTruth, foreignTruth } from '../support/foreign-truth.ts'
import { type AtEnd, type House, house, type Outcome, type Printed } from './reconcile-house.ts'

/** A host that captured what a foreign service sent, less what was lost, with the connection "erp" to that service. */
export interface ForeignHouse extends House {
  readonly service: ForeignService
  readonly captured: readonly ForeignEvent[]
  /** By document id. */
  readonly truth: ReadonlyMap<string, ForeignTruth>
  /** `reconcile` of October with --json. */
  reconcile(...more: readonly string[]): Promise<Outcome & { readonly result: Printed }>
}

/** @param loses whether an event never reached the receiver */
export async function foreignHouse(
  documents: readonly ForeignDocument[],
  knobs: Partial<ForeignKnobs> = {},
  loses: (event: ForeignEvent, nth: number) => boolean = () => false,
  atEnd: AtEnd = onTestFinished,
): Promise<ForeignHouse> {
  const service = await foreignService(documents, knobs)
  atEnd(service.close)
  const home = await house(atEnd)
  const captured = documents.flatMap(foreignEvents).filter((event, nth) => !loses(event, nth))
  await deliver(
    home.receiverUrl,
    captured.map(({ body }) => body),
  )
  const made = await home.acuse([
    ...['connections', 'set', 'erp', '--base-url', service.url, '--api-key-env', 'ACUSE_API_KEY'],
    ...['--issued-hours', '0'],
  ])
  if (made.code !== 0) throw new Error(made.stderr)
  return {
    ...home,
    ...{ service, captured, truth: foreignTruth(documents, captured) },
    async reconcile(...more) {
      const range = ['--from', '2026-10-01', '--to', '2026-10-31']
      const outcome = await home.acuse(['reconcile', '--connection', 'erp', ...range, '--json', ...more])
      const [result] = outcome.printed
      if (!result) throw new Error(`nothing printed: ${outcome.stderr}`)
      return { ...outcome, result }
    },
  }
}

/** Sends bodies to a receiver one after the other, eight at a time. */
export async function deliver(url: string, bodies: readonly string[]): Promise<void> {
  const waiting = bodies.values()
  const worker = async () => {
    for (const body of waiting) await post(url, body)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

const post = (url: string, body: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.resume()
      response.once('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`answered ${response.statusCode}`)),
      )
    })
    sent.once('error', reject)
    sent.end(body)
  })

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
