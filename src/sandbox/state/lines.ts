import type { Random } from '../data/random.ts'
import { type LineDraft, priceLine } from '../domain/amounts.ts'
import { divideRounded } from '../domain/decimal.ts'
import type { Receipt } from '../domain/receipts.ts'
import type { Document, Line, Product, WithholdingRule } from '../domain/records.ts'
import { SandboxError } from '../world.ts'
import type { Change } from './change.ts'
import { activeProduct } from './find.ts'

/** What a caller may say about the lines; `quantity` and `unitPrice` in hundredths. The last four are about the first line. */
export interface LineArgs {
  readonly lines: number | undefined
  readonly productId: string | undefined
  readonly description: string | undefined
  readonly quantity: number | undefined
  readonly unitPrice: number | undefined
}

export const LINE_PARAMETERS = [
  { name: 'lines', type: 'integer', required: false, summary: 'number of lines, 1 to 50; drawn when absent' },
  { name: 'productId', type: 'uuid', required: false, summary: 'product of the first line' },
  { name: 'description', type: 'string', required: false, summary: 'description of the first line' },
  { name: 'quantity', type: 'decimal', required: false, summary: 'quantity of the first line' },
  {
    name: 'unitPrice',
    type: 'decimal',
    required: false,
    summary: 'unit price of the first line, before tax',
  },
] as const

const MOST_LINES = 50
/** Ten thousand million of a currency in one line: sums and percentages of fifty such lines stay exact in a double. */
const LARGEST_LINE = 1e12

const COUNT_WEIGHTS = [45, 30, 15, 10]

const quantityOf = (random: Random, isService: boolean): number =>
  (isService
    ? random.int(1, 3)
    : random.weighted([70, 20, 10]) === 0
      ? random.int(1, 6)
      : random.int(4, 24)) * 100

/** @param rate Dominican pesos per unit of the document's currency, in ten-thousandths */
function draft(change: Change, product: Product, receipt: Receipt, rate: number): LineDraft {
  const { random } = change
  return {
    id: change.newId(),
    productId: product.id,
    code: product.code,
    description: product.description,
    isService: product.isService,
    unit: product.unit,
    rate: receipt.exempt ? 0 : product.rate,
    quantity: quantityOf(random, product.isService),
    price: divideRounded(product.price * 10_000, rate),
    discountPercent: random.chance(22) ? random.pick([250, 500, 1000, 1250, 1500]) : 0,
    recharge: random.chance(3) ? random.int(2, 40) * 500 : 0,
  }
}

function asSaid(line: LineDraft, args: LineArgs): LineDraft {
  return {
    ...line,
    description: args.description ?? line.description,
    quantity: args.quantity ?? line.quantity,
    price: args.unitPrice ?? line.price,
  }
}

function checked(line: LineDraft, rule: WithholdingRule): Line {
  if (line.quantity === 0) throw new SandboxError(400, 'bad-parameter', 'quantity is more than 0.')
  if (line.quantity * line.price > LARGEST_LINE * 100)
    throw new SandboxError(400, 'too-large', 'quantity × unitPrice is too large for one line.')
  return priceLine(line, rule)
}

/** Lines of a new document. */
export function drawLines(
  change: Change,
  receipt: Receipt,
  rate: number,
  rule: WithholdingRule,
  args: LineArgs,
): readonly Line[] {
  const count = args.lines ?? change.random.weighted(COUNT_WEIGHTS) + 1
  if (count < 1 || count > MOST_LINES)
    throw new SandboxError(400, 'bad-parameter', `lines is a whole number from 1 to ${MOST_LINES}.`)
  return Array.from({ length: count }, (_, at) => {
    const line = draft(change, activeProduct(change, at === 0 ? args.productId : undefined), receipt, rate)
    return checked(at === 0 ? asSaid(line, args) : line, rule)
  })
}

/** Lines after an edit: drawn again when a number of lines or a product is given, else the first one changed; by its quantity when nothing is said. */
export function editedLines(
  change: Change,
  receipt: Receipt,
  document: Document,
  args: LineArgs,
): readonly Line[] {
  const { withholding, lines, rate } = document
  if (args.lines !== undefined || args.productId !== undefined)
    return drawLines(change, receipt, rate, withholding, { ...args, lines: args.lines ?? lines.length })
  const [first, ...others] = lines
  if (!first) return lines
  const said = [args.description, args.quantity, args.unitPrice].some((value) => value !== undefined)
  const more = said ? first.quantity : first.quantity + change.random.int(1, 5) * 100
  return [checked(asSaid({ ...first, quantity: more }, args), withholding), ...others]
}
