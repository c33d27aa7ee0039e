import type { Language } from '#catalog/text.ts'
import english from './en.json' with { type: 'json' }
import spanish from './es.json' with { type: 'json' }

/** What tray and notices say; what stands in braces is filled in. */
export type HostWords = typeof english
const WORDS: Readonly<Record<Language, HostWords>> = { en: english, es: spanish }
export const hostWords = (language: Language): HostWords => WORDS[language]

/** The language of the tray and of notices: the one chosen in Settings, else the system's when it is Spanish, else English. */
export function hostLanguage(chosen: 'system' | Language, locale: string): Language {
  if (chosen !== 'system') return chosen
  return /^es(-|$)/i.test(locale) ? 'es' : 'en'
}
