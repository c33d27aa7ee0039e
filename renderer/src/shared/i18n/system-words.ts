import type { Language } from '#catalog/text.ts'
import spanish from './system-words.es.json'

/**
 * The reason that the operating system or SQLite gives, in Spanish where it is known. Their own words stay for what is not. Without
 * a full stop, which the text around it has.
 */
export function systemText(reason: string, language: Language): string {
  const said = reason.toLowerCase()
  const known =
    language === 'es' && Object.entries(spanish).find(([words]) => said.includes(words.toLowerCase()))
  return known ? known[1] : reason.replace(/\.$/, '')
}
