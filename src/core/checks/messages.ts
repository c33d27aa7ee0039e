import { filled, type Language } from '#catalog/text.ts'
import type { Finding } from '#contract/delivery.ts'
import { type Code, isCode } from './codes.ts'
import en from './messages-en.json' with { type: 'json' }
import es from './messages-es.json' with { type: 'json' }

export const SENTENCES: Readonly<Record<Language, Readonly<Record<Code, string>>>> = { en, es }

/** Sentence of a finding. A code unknown to this version (stored by another one) is returned unchanged. */
export const findingMessage = ({ code, params }: Finding, language: Language): string =>
  isCode(code) ? filled(SENTENCES[language][code], params) : code
