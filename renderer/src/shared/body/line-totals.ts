import { CROSS_FOOTS, SUMMED_LINE_FIELDS } from '#catalog/amounts.ts'
import { LINE_FIELDS } from '#catalog/fields.ts'
import { DecimalSum, formatDecimal, withPlaces } from '#core/json/decimal.ts'
import { type JsonLines, KIND, NONE } from './json-lines.ts'
import { nameOf } from './members.ts'
import type { FieldTotal, LineTotals } from './protocol.ts'

/** The most names of undocumented fields; more would make columns without end. */
const UNKNOWN_KEPT = 40
/** Lines worked through before newer requests get their turn: some 20 ms. */
const STRETCH = 1_000

const NAMES = [...LINE_FIELDS.keys()]
const EXEMPT = NAMES.indexOf('IsExempt')

const adding = (field: string, exempt: boolean | null = null) => ({
  field,
  exempt,
  column: NAMES.indexOf(field),
  sum: new DecimalSum(),
  numbers: 0,
  others: 0,
  absent: 0,
})

export function createLineTotaller(json: JsonLines, bytes: Uint8Array) {
  const sums = [
    ...SUMMED_LINE_FIELDS.map((field) => adding(field)),
    ...CROSS_FOOTS.flatMap(({ field, exempt }) => (exempt === undefined ? [] : adding(field, exempt))),
  ]
  const unknown = new Map<string, number>()
  let moreUnknown = false
  let lines = 0
  let others = 0
  let unclear = 0
  const names = createLineNames(json, bytes, NAMES)

  /** @param items lines of the index at which the items begin @param rest called between stretches; false ends the work */
  async function run(items: readonly number[], rest: () => Promise<boolean>): Promise<LineTotals | null> {
    for (let from = 0; from < items.length; from += STRETCH) {
      if (from > 0 && !(await rest())) return null
      for (let at = from; at < Math.min(items.length, from + STRETCH); at += 1) add(items[at] ?? 0)
    }
    const totals = sums.map(
      ({ column: _, sum, ...told }): FieldTotal => ({ ...told, sum: told.numbers === 0 ? null : write(sum) }),
    )
    return {
      ...{ lines, others, unclear, totals, moreUnknown },
      unknown: [...unknown].map(([name, times]) => ({ name, times })),
    }
  }

  function add(item: number): void {
    const kind = json.kind(item)
    if (kind !== KIND.object && kind !== KIND.emptyObject) {
      others += 1
      return
    }
    lines += 1
    const members = names.of(item, meet)
    const exempt = boolean(members[EXEMPT])
    if (exempt === undefined) unclear += 1
    for (const one of sums) {
      if (one.exempt !== null && one.exempt !== exempt) continue
      const member = members[one.column] ?? -1
      if (member < 0) one.absent += 1
      else if (take(one.sum, member)) one.numbers += 1
      else one.others += 1
    }
  }

  function take(sum: DecimalSum, member: number): boolean {
    if (json.kind(member) !== KIND.number) return false
    return sum.add(bytes, json.from(member), json.to(json.end(member)))
  }

  function boolean(member: number | undefined): boolean | undefined {
    if (member === undefined || member < 0 || json.kind(member) !== KIND.literal) return undefined
    const first = bytes[json.from(member)]
    return first === 0x74 ? true : first === 0x66 ? false : undefined
  }

  function meet(name: string): void {
    const known = unknown.get(name)
    if (known !== undefined || unknown.size < UNKNOWN_KEPT) unknown.set(name, (known ?? 0) + 1)
    else moreUnknown = true
  }

  return { run }
}
export type LineTotaller = ReturnType<typeof createLineTotaller>

function write(sum: DecimalSum): string | null {
  const total = sum.total()
  return total === undefined ? null : withPlaces(formatDecimal(total), sum.places)
}

interface Candidate {
  readonly index: number
  readonly exact: Uint8Array
  readonly lower: Uint8Array
}

const encoder = new TextEncoder()
const QUOTE = 0x22
const BACKSLASH = 0x5c

const lowered = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)

/** Finds members by the bytes of their names, by the rule of `memberCounting`: making five million strings would take seconds. */
function createLineNames(json: JsonLines, bytes: Uint8Array, names: readonly string[]) {
  const byLength = new Map<number, Candidate[]>()
  const found = new Int32Array(names.length)
  const named = new Uint8Array(names.length)
  names.forEach((name, index) => {
    const candidate = { index, exact: encoder.encode(name), lower: encoder.encode(name.toLowerCase()) }
    byLength.set(name.length, [...(byLength.get(name.length) ?? []), candidate])
  })

  /** @param unknown told the names of the others @returns for each name the line of its member or -1; the same array each time */
  function of(item: number, unknown: (name: string) => void): Int32Array {
    found.fill(-1)
    named.fill(0)
    if (json.kind(item) !== KIND.object) return found
    for (const member of json.children(item)) {
      const key = json.key(member)
      if (key === NONE) continue
      const end = plainEnd(key)
      const known = end < 0 ? slowly(member) : match(key + 1, end)
      if (known === undefined) unknown(nameOf(json, bytes, member))
      else put(known.index, known.exact, member)
    }
    return found
  }

  function put(index: number, exact: boolean, member: number): void {
    if (named[index] === 1 && !exact) return
    found[index] = member
    if (exact) named[index] = 1
  }

  /** End of a name that is plain ASCII without escapes; -1 for any other. */
  function plainEnd(key: number): number {
    for (let at = key + 1; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0
      if (byte === QUOTE) return at
      if (byte === BACKSLASH || byte >= 0x80) return -1
    }
    return -1
  }

  function match(from: number, to: number): { readonly index: number; readonly exact: boolean } | undefined {
    for (const { index, exact, lower } of byLength.get(to - from) ?? []) {
      let same = true
      let alike = true
      for (let k = 0; alike && k < exact.length; k += 1) {
        const byte = bytes[from + k] ?? 0
        if (byte !== exact[k]) same = false
        if (lowered(byte) !== lower[k]) alike = false
      }
      if (alike) return { index, exact: same }
    }
    return undefined
  }

  function slowly(member: number): { readonly index: number; readonly exact: boolean } | undefined {
    const name = nameOf(json, bytes, member)
    const exact = names.indexOf(name)
    if (exact >= 0) return { index: exact, exact: true }
    const lower = name.toLowerCase()
    const index = names.findIndex((known) => known.toLowerCase() === lower)
    return index >= 0 ? { index, exact: false } : undefined
  }

  return { of }
}
