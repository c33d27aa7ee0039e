/** A number with the digits it is written with: 1250.00 stays 1250.00 on the wire. */
export class Decimal {
  readonly digits: string
  constructor(digits: string) {
    this.digits = digits
  }
}

/** @param units a safe integer in the smallest unit @param places how many of its digits stand behind the point */
export function decimal(units: number, places = 2): Decimal {
  const digits = String(Math.abs(units)).padStart(places + 1, '0')
  const split = digits.length - places
  return new Decimal(`${units < 0 ? '-' : ''}${digits.slice(0, split)}.${digits.slice(split)}`)
}

/** Half away from zero, as invoices are rounded; exact, because numerator and denominator are integers. */
export function divideRounded(numerator: number, denominator: number): number {
  const rest = Math.abs(numerator) % denominator
  const whole = (Math.abs(numerator) - rest) / denominator
  return (numerator < 0 ? -1 : 1) * (whole + (rest * 2 >= denominator ? 1 : 0))
}
