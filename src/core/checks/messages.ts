import type { Language } from '#catalog/text.ts'
import type { Finding } from '#contract/delivery.ts'
import { isCode } from './codes.ts'
import type { Sentences } from './sentences.ts'
import { EN } from './sentences-en.ts'
import { ES } from './sentences-es.ts'

const SENTENCES: { readonly [L in Language]: Sentences } = { en: EN, es: ES }

/**
 * The finding as a sentence in plain text, captured values shortened within it. A code that this version does not know (findings stored
 * by another one) is shown as it is.
 */
export function findingMessage(finding: Finding, language: Language): string {
  if (!isCode(finding.code)) return finding.code
  return SENTENCES[language][finding.code].replace(/\{(\w+)\}/g, (_, name: string) =>
    String(finding.params[name] ?? '…'),
  )
}
