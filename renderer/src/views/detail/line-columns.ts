import { SUMMED_LINE_FIELDS } from '#catalog/amounts.ts'
import { type FieldSpec, LINE_FIELDS } from '#catalog/fields.ts'
import type { LineTotals } from '@/workers/protocol.ts'

export interface LineColumn {
  readonly name: string
  /** undefined: nobody documented it. */
  readonly spec: FieldSpec | undefined
  readonly summed: boolean
  /** px */
  readonly width: number
}

/** Columns for fields nobody documented; the others of a line are told where it is shown in full. */
const UNKNOWN_SHOWN = 12
const WIDE = 128
const WIDTHS: Readonly<Record<string, number>> = {
  LineId: 72,
  Code: 104,
  Order: 64,
  Description: 208,
  IsService: 84,
  IsExempt: 84,
  Quantity: 88,
  UnitId: 72,
  UnitPrice: 104,
  Discount: 96,
  Recharge: 96,
  NetAmount: 112,
}

const SUMMED: ReadonlySet<string> = new Set(SUMMED_LINE_FIELDS)

const DOCUMENTED: readonly LineColumn[] = [...LINE_FIELDS.values()].map((spec) => ({
  name: spec.name,
  spec,
  summed: SUMMED.has(spec.name),
  width: WIDTHS[spec.name] ?? WIDE,
}))

/** The 22 documented fields in catalogue order, then what nobody documented. */
export function columnsOf(totals: LineTotals | null): readonly LineColumn[] {
  const unknown = (totals?.unknown ?? [])
    .slice(0, UNKNOWN_SHOWN)
    .map(({ name }) => ({ name, spec: undefined, summed: false, width: WIDE }))
  return [...DOCUMENTED, ...unknown]
}
