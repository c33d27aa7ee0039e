import type { Language } from '#catalog/text.ts'

/** Spanish uses the format of the Dominican Republic on every machine: 27,242.00 and RD$. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en', es: 'es-DO' }

const made = new Map<Language, Intl.NumberFormat>()
/** Cached: creating a format takes tens of microseconds, and a burst shows five hundred amounts a second. */
function integers(language: Language): Intl.NumberFormat {
  const known = made.get(language) ?? new Intl.NumberFormat(LOCALES[language], { useGrouping: 'always' })
  made.set(language, known)
  return known
}

/** Groups thousands without rounding, dropping or adding digits. @param amount plain decimal digits; anything else is returned as is */
export function grouped(amount: string, language: Language): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount)
  if (!parts) return amount
  const [, sign = '', whole = '', fraction] = parts
  const digits = integers(language).format(BigInt(whole))
  return `${sign}${digits}${fraction === undefined ? '' : `.${fraction}`}`
}

/** An amount with at least two decimals and all its digits: `27242.5` gives `27,242.50`. Anything but plain digits is returned as is. */
export function amountText(amount: string, language: Language): string {
  const [, whole, cents = ''] = /^(-?\d+)(?:\.(\d))?$/.exec(amount) ?? []
  return grouped(whole === undefined ? amount : `${whole}.${cents.padEnd(2, '0')}`, language)
}

/** An amount with its currency: in Spanish with the currency sign (`RD$ 27,242.00`), else with the code. Null gives the amount alone. */
export const money = (amount: string, currency: string | null, language: Language): string =>
  currency === null || currency === ''
    ? amountText(amount, language)
    : `${signOf(currency, language)} ${amountText(amount, language)}`

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['DOP', 'RD$'],
  ['USD', 'US$'],
])

export const signOf = (currency: string, language: Language): string =>
  (language === 'es' && SIGNS.get(currency)) || currency
