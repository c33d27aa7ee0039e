import type { Connection } from '#contract/connection.ts'
import type { OpenExport, PreviewExport } from '#contract/transfer.ts'
import { joined } from '#interop/formats/format.ts'
import { FORMATS } from '#interop/formats/formats.ts'
import { Mask, type MaskedPlace } from '#interop/mask/mask.ts'
import type { MaskKind } from '#interop/mask/scrub.ts'
import type { ExportedDelivery, MaskedDelivery } from '#interop/records.ts'
import type { Exports } from '#storage/reader/exports.ts'
import { sessionPieces } from './session-export.ts'

/** What an export needs besides its parameters. */
export interface ExportTerms {
  /** Names of credentials, from `maskedNamesOf`. */
  readonly names: readonly string[]
  readonly version: string
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly connections: readonly Connection[]
  /** Folder for files while they are being made. */
  readonly folder: string
}

/** Deliveries that a preview looks at. */
const LOOKED = 500

type Masking = Pick<OpenExport, 'reveal' | 'unmask'>

const kindsOf = ({ reveal, unmask }: Masking): readonly MaskKind[] => [
  ...(reveal ? [] : (['credential'] as const)),
  ...(unmask ? [] : (['personal'] as const)),
]
const maskOf = (params: Masking, names: readonly string[], bodies = true) =>
  new Mask({ names, bodies, kinds: kindsOf(params) })

const EMPTY = new Uint8Array()

/** Headers that storage marks as masked do not exist; a body that cannot be read is left out. */
async function* masked(
  deliveries: AsyncIterable<ExportedDelivery>,
  mask: Mask,
  count: () => void,
): AsyncGenerator<MaskedDelivery> {
  for await (const delivery of deliveries) {
    const damaged = delivery.body.length === 0 && delivery.detail.bodyKept > 0
    const done = mask.apply(delivery)
    // Before the format gets it, as the last piece may end with it.
    count()
    yield damaged ? { ...done, body: EMPTY, decoded: null, bodyState: 'left-out' } : done
  }
}

/** Writes chosen deliveries in a format, masked. @param count called at each delivery */
export async function* exported(
  source: Exports,
  params: OpenExport,
  { names, ...terms }: ExportTerms,
  count: () => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { bodies = false, columns, base = null } = params
  if (params.format === 'session') {
    const mask = maskOf(params, names)
    const deliveries = masked(source.deliveries(params.source), mask, count)
    yield* sessionPieces(deliveries, source.statements, mask, params, { ...terms, masked: kindsOf(params) })
    return
  }
  const { write, hasBodies } = FORMATS[params.format]
  const mask = maskOf(params, names, hasBodies?.({ bodies }))
  const deliveries = masked(source.deliveries(params.source), mask, count)
  const { version, now } = terms
  yield* joined(write(deliveries, { createdAt: now, version, bodies, columns, base }))
}

export async function preview(
  source: Exports,
  params: PreviewExport,
  names: readonly string[],
): Promise<{ deliveries: number | null; looked: number; masked: readonly MaskedPlace[] }> {
  const mask = maskOf(params, names)
  let looked = 0
  for await (const delivery of source.deliveries(params.source)) {
    if (looked >= LOOKED) break
    mask.apply(delivery)
    looked += 1
  }
  return { deliveries: await source.count(params.source), looked, masked: mask.places }
}
