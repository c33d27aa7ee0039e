import { divideRounded } from './json.ts'
import type { Document, Line, Withholding, WithholdingRule } from './records.ts'

export interface LineDraft extends Omit<Line, 'discount' | 'net' | 'tax' | 'withholdings'> {}

const withheld = (rule: WithholdingRule, net: number, tax: number): readonly Withholding[] =>
  [
    { name: 'ITBIS' as const, percent: rule.itbis, amount: divideRounded(tax * rule.itbis, 100) },
    { name: 'ISR' as const, percent: rule.isr, amount: divideRounded(net * rule.isr, 100) },
  ].filter((one) => one.amount !== 0)

/** Prices a line and rounds each amount to the cent once. Headers are sums of lines, so they agree to the cent. */
export function priceLine(draft: LineDraft, rule: WithholdingRule): Line {
  const gross = divideRounded(draft.quantity * draft.price, 100)
  const discount = divideRounded(gross * draft.discountPercent, 10_000)
  const net = gross - discount + draft.recharge
  const tax = divideRounded(net * draft.rate, 100)
  return { ...draft, discount, net, tax, withholdings: withheld(rule, net, tax) }
}

/** Makes a line with exactly this net and tax, for notes: their sum is given, and their tax follows from it. */
export const fixedLine = (line: Line, net: number, tax: number): Line => ({
  ...line,
  quantity: 100,
  price: net,
  discountPercent: 0,
  discount: 0,
  recharge: 0,
  net,
  tax,
  withholdings: [],
})

export const lineTotal = (line: Line): number => line.net + line.tax
export const lineWithheld = (line: Line): number =>
  line.withholdings.reduce((sum, one) => sum + one.amount, 0)

const sum = (lines: readonly Line[], amount: (line: Line) => number): number =>
  lines.reduce((total, line) => total + amount(line), 0)

export function totalsOf(document: Pick<Document, 'lines' | 'freight' | 'tip'>) {
  const { lines } = document
  const discount = sum(lines, (line) => line.discount)
  const before = sum(lines, (line) => line.net + line.discount - line.recharge)
  const ofLines = sum(lines, lineTotal)
  return {
    taxable: sum(lines, (line) => (line.rate === 0 ? 0 : line.net)),
    exempt: sum(lines, (line) => (line.rate === 0 ? line.net : 0)),
    discount,
    discountPercent: before === 0 ? 0 : divideRounded(discount * 10_000, before),
    taxes: sum(lines, (line) => line.tax),
    withholdings: sum(lines, lineWithheld),
    lines: ofLines,
    total: ofLines + document.freight + document.tip,
  }
}
export type Totals = ReturnType<typeof totalsOf>

export const paid = (document: Document): number =>
  document.payments.reduce((total, payment) => total + payment.amount, 0)

/** The amount due (AmountDue); 0 on a voided document. */
export const amountDue = (document: Document): number =>
  document.anulated ? 0 : Math.max(0, document.owed - paid(document) - document.credited)

/**
 * Makes lines of exactly this sum, tax included: whole lines of the original in order, then a part of one.
 * @param skip cents of the original's lines that earlier notes have already credited
 */
export function linesWorth(
  original: readonly Line[],
  skip: number,
  worth: number,
  newId: () => string,
): Line[] {
  const lines: Line[] = []
  let [before, left] = [skip, worth]
  for (const line of original) {
    const open = Math.max(0, lineTotal(line) - before)
    before = Math.max(0, before - lineTotal(line))
    const taken = Math.min(open, left)
    if (taken <= 0) continue
    left -= taken
    lines.push(lineWorth({ ...line, id: newId() }, taken))
  }
  return lines
}

export function lineWorth(line: Line, worth: number): Line {
  if (worth === lineTotal(line)) return fixedLine(line, line.net, line.tax)
  const net = divideRounded(worth * 100, 100 + line.rate)
  return fixedLine(line, net, worth - net)
}
