import type { Language } from '#catalog/text.ts'

/** Spanish is that of the Dominican Republic, whatever the machine speaks: 27,242.00 and RD$. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en', es: 'es-DO' }

const made = new Map<Language, Intl.NumberFormat>()
/** One takes tens of microseconds to make, and a burst draws five hundred sums a second. */
function integers(language: Language): Intl.NumberFormat {
  const known = made.get(language) ?? new Intl.NumberFormat(LOCALES[language], { useGrouping: 'always' })
  made.set(language, known)
  return known
}

/** Not one digit is rounded, dropped or added. @param amount plain decimal digits; anything else is given back as it is */
export function grouped(amount: string, language: Language): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount)
  if (!parts) return amount
  const [, sign = '', whole = '', fraction] = parts
  const digits = integers(language).format(BigInt(whole))
  return `${sign}${digits}${fraction === undefined ? '' : `.${fraction}`}`
}

/** A sum with its currency: in Spanish by its sign, as `RD$ 27,242.00`, else by its code. Without a currency the sum alone. */
export const money = (amount: string, currency: string | null, language: Language): string =>
  currency === null || currency === ''
    ? grouped(amount, language)
    : `${signOf(currency, language)} ${grouped(amount, language)}`

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['DOP', 'RD$'],
  ['USD', 'US$'],
])

export const signOf = (currency: string, language: Language): string =>
  (language === 'es' && SIGNS.get(currency)) || currency
