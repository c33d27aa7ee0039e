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

export class LineTotaller {
  readonly #json: JsonLines
  readonly #bytes: Uint8Array
  readonly #names: LineNames
  readonly #adding = [
    ...SUMMED_LINE_FIELDS.map((field) => adding(field)),
    ...CROSS_FOOTS.flatMap(({ field, exempt }) => (exempt === undefined ? [] : adding(field, exempt))),
  ]
  readonly #unknown = new Map<string, number>()
  #moreUnknown = false
  #lines = 0
  #others = 0
  #unclear = 0

  constructor(json: JsonLines, bytes: Uint8Array) {
    this.#json = json
    this.#bytes = bytes
    this.#names = new LineNames(json, bytes, NAMES)
  }

  /** @param items lines of the index at which the items begin @param rest called between stretches; false ends the work */
  async run(items: readonly number[], rest: () => Promise<boolean>): Promise<LineTotals | null> {
    for (let from = 0; from < items.length; from += STRETCH) {
      if (from > 0 && !(await rest())) return null
      for (let at = from; at < Math.min(items.length, from + STRETCH); at += 1) this.#add(items[at] ?? 0)
    }
    const totals = this.#adding.map(
      ({ column: _, sum, ...told }): FieldTotal => ({ ...told, sum: told.numbers === 0 ? null : write(sum) }),
    )
    return {
      lines: this.#lines,
      others: this.#others,
      unclear: this.#unclear,
      totals,
      unknown: [...this.#unknown].map(([name, times]) => ({ name, times })),
      moreUnknown: this.#moreUnknown,
    }
  }

  #add(item: number): void {
    const kind = this.#json.kind(item)
    if (kind !== KIND.object && kind !== KIND.emptyObject) {
      this.#others += 1
      return
    }
    this.#lines += 1
    const members = this.#names.of(item, (name) => this.#meet(name))
    const exempt = this.#boolean(members[EXEMPT])
    if (exempt === undefined) this.#unclear += 1
    for (const one of this.#adding) {
      if (one.exempt !== null && one.exempt !== exempt) continue
      const member = members[one.column] ?? -1
      if (member < 0) one.absent += 1
      else if (this.#take(one.sum, member)) one.numbers += 1
      else one.others += 1
    }
  }

  #take(sum: DecimalSum, member: number): boolean {
    if (this.#json.kind(member) !== KIND.number) return false
    return sum.add(this.#bytes, this.#json.from(member), this.#json.to(this.#json.end(member)))
  }

  #boolean(member: number | undefined): boolean | undefined {
    if (member === undefined || member < 0 || this.#json.kind(member) !== KIND.literal) return undefined
    const first = this.#bytes[this.#json.from(member)]
    return first === 0x74 ? true : first === 0x66 ? false : undefined
  }

  #meet(name: string): void {
    const known = this.#unknown.get(name)
    if (known !== undefined || this.#unknown.size < UNKNOWN_KEPT) this.#unknown.set(name, (known ?? 0) + 1)
    else this.#moreUnknown = true
  }
}

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
class LineNames {
  readonly #json: JsonLines
  readonly #bytes: Uint8Array
  readonly #names: readonly string[]
  readonly #byLength = new Map<number, Candidate[]>()
  readonly #found: Int32Array
  readonly #exact: Uint8Array

  constructor(json: JsonLines, bytes: Uint8Array, names: readonly string[]) {
    this.#json = json
    this.#bytes = bytes
    this.#names = names
    this.#found = new Int32Array(names.length)
    this.#exact = new Uint8Array(names.length)
    names.forEach((name, index) => {
      const candidate = { index, exact: encoder.encode(name), lower: encoder.encode(name.toLowerCase()) }
      this.#byLength.set(name.length, [...(this.#byLength.get(name.length) ?? []), candidate])
    })
  }

  /** @param unknown told the names of the others @returns for each name the line of its member or -1; the same array each time */
  of(item: number, unknown: (name: string) => void): Int32Array {
    this.#found.fill(-1)
    this.#exact.fill(0)
    if (this.#json.kind(item) !== KIND.object) return this.#found
    for (const member of this.#json.children(item)) {
      const key = this.#json.key(member)
      if (key === NONE) continue
      const end = this.#plainEnd(key)
      const known = end < 0 ? this.#slowly(member) : this.#match(key + 1, end)
      if (known === undefined) unknown(nameOf(this.#json, this.#bytes, member))
      else this.#put(known.index, known.exact, member)
    }
    return this.#found
  }

  #put(index: number, exact: boolean, member: number): void {
    if (this.#exact[index] === 1 && !exact) return
    this.#found[index] = member
    if (exact) this.#exact[index] = 1
  }

  /** End of a name that is plain ASCII without escapes; -1 for any other. */
  #plainEnd(key: number): number {
    for (let at = key + 1; at < this.#bytes.length; at += 1) {
      const byte = this.#bytes[at] ?? 0
      if (byte === QUOTE) return at
      if (byte === BACKSLASH || byte >= 0x80) return -1
    }
    return -1
  }

  #match(from: number, to: number): { readonly index: number; readonly exact: boolean } | undefined {
    for (const { index, exact, lower } of this.#byLength.get(to - from) ?? []) {
      let same = true
      let alike = true
      for (let k = 0; alike && k < exact.length; k += 1) {
        const byte = this.#bytes[from + k] ?? 0
        if (byte !== exact[k]) same = false
        if (lowered(byte) !== lower[k]) alike = false
      }
      if (alike) return { index, exact: same }
    }
    return undefined
  }

  #slowly(member: number): { readonly index: number; readonly exact: boolean } | undefined {
    const name = nameOf(this.#json, this.#bytes, member)
    const exact = this.#names.indexOf(name)
    if (exact >= 0) return { index: exact, exact: true }
    const lower = name.toLowerCase()
    const index = this.#names.findIndex((known) => known.toLowerCase() === lower)
    return index >= 0 ? { index, exact: false } : undefined
  }
}
