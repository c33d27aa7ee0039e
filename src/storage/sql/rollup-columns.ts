import { GROUPS, type Group, KINDS, type Kind } from '#catalog/kinds.ts'
import { VERDICTS } from '#contract/values.ts'

/** Columns of `rollup_total`: one per verdict, in rising order; one per group, and the last for what has none. */
export const VERDICT_COLUMNS = VERDICTS.map((_, place) => `v${place}`)
export const GROUP_COLUMNS = [...GROUPS.map((_, place) => `g${place}`), `g${GROUPS.length}`]

const PLACES: ReadonlyMap<string, number> = new Map(KINDS.map(({ kind }, place) => [kind, place + 1]))

/** A kind as `rollup.kind_no` has it; 0 for none. */
export const kindNumber = (kind: string | null): number => (kind === null ? 0 : (PLACES.get(kind) ?? 0))

/** The kind of that number, with its group. */
export function kindOfNumber(number: number): { readonly kind: Kind; readonly group: Group } | undefined {
  return KINDS[number - 1]
}

const GROUP_PLACES: ReadonlyMap<string, number> = new Map(GROUPS.map(({ slug }, place) => [slug, place]))

/** Place of a group among GROUP_COLUMNS; the last one for none. */
export const groupPlace = (group: string | null): number =>
  (group === null ? undefined : GROUP_PLACES.get(group)) ?? GROUPS.length

/** The minute since the epoch in which an instant, in microseconds, lies. */
export const minuteOf = (us: number): number => Math.floor(us / 60_000_000)

/** `rollup.counts` as numbers: a sort and how many of it, by turns. @param blob as SQLite gives it, wherever it lies in memory */
export function unpackCounts(blob: unknown): Uint32Array {
  if (!(blob instanceof Uint8Array)) return new Uint32Array()
  if (blob.byteOffset % 4 === 0) return new Uint32Array(blob.buffer, blob.byteOffset, blob.byteLength >> 2)
  return new Uint32Array(blob.slice().buffer)
}

/** The other way. */
export const packCounts = (counts: ReadonlyMap<number, number>): Uint8Array =>
  new Uint8Array(Uint32Array.from([...counts].flat()).buffer)
