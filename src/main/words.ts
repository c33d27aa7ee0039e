import type { Language } from '#catalog/text.ts'
import english from './en.json' with { type: 'json' }
import spanish from './es.json' with { type: 'json' }

/** Texts of tray and notices; names in braces are placeholders. */
export type HostWords = typeof english
const WORDS: Readonly<Record<Language, HostWords>> = { en: english, es: spanish }
export const hostWords = (language: Language): HostWords => WORDS[language]

/** Language of tray and notices: that of the settings, else Spanish on a Spanish system, else English. */
export function hostLanguage(chosen: 'system' | Language, locale: string): Language {
  if (chosen !== 'system') return chosen
  return /^es(-|$)/i.test(locale) ? 'es' : 'en'
}
