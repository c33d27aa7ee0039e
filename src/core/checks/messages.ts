import { filled, type Language } from '#catalog/text.ts'
import type { Finding } from '#contract/delivery.ts'
import { type Code, isCode } from './codes.ts'
import en from './messages-en.json' with { type: 'json' }
import es from './messages-es.json' with { type: 'json' }

/** A sentence per code; `{name}` stands for a parameter of the finding. A code without one does not compile. */
export const SENTENCES: Readonly<Record<Language, Readonly<Record<Code, string>>>> = { en, es }

/**
 * The finding as a sentence in plain text, captured values shortened within it. A code that this version does not know (findings stored
 * by another one) is shown as it is.
 */
export const findingMessage = ({ code, params }: Finding, language: Language): string =>
  isCode(code) ? filled(SENTENCES[language][code], params) : code
