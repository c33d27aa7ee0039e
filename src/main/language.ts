/** A language of the product. */
export type Language = 'en' | 'es'

/**
 * The language of the tray and of notices: the one chosen in Settings, else the system's when it is Spanish, else English.
 * @param locale BCP 47, as `app.getLocale` gives it
 */
export function hostLanguage(chosen: 'system' | Language, locale: string): Language {
  if (chosen !== 'system') return chosen
  return /^es(-|$)/i.test(locale) ? 'es' : 'en'
}
