/**
 * An exact sum with the locale's grouping; not one digit is rounded, dropped or added.
 * @param amount plain decimal digits, as `3914220.10`; anything else is given back as it is
 */
export function grouped(amount: string, locale: string): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount)
  if (!parts) return amount
  const [, sign = '', whole = '', fraction] = parts
  const point =
    new Intl.NumberFormat(locale).formatToParts(0.1).find(({ type }) => type === 'decimal')?.value ?? '.'
  // Also four digits, which Spanish leaves together in a sentence: here they stand in a column.
  const digits = new Intl.NumberFormat(locale, { useGrouping: 'always' }).format(BigInt(whole))
  return `${sign}${digits}${fraction === undefined ? '' : point + fraction}`
}
