import type { Refusal } from '#contract/errors.ts'
import type { SandboxOperation } from '#contract/sandbox.ts'
import { useLanguage } from '@/shared/i18n/format.ts'
import spanishWords from './operations.es.json'

type Words = Readonly<Record<string, string>>

const OPERATIONS: Words = spanishWords.operations
const PARAMETERS: Words = spanishWords.parameters
const REFUSALS: Words = spanishWords.refusals

/** What the sandbox says of its operations, in the window's language; its own words where this window has none for them. */
export function useOperationText() {
  const spanish = useLanguage() === 'es'
  return {
    summary: ({ name, summary }: SandboxOperation): string => (spanish && OPERATIONS[name]) || summary,
    parameter: (of: SandboxOperation, { name, summary }: SandboxOperation['parameters'][number]): string =>
      (spanish && (PARAMETERS[`${of.name}.${name}`] ?? PARAMETERS[name])) || summary,
    refusal: (refusal: Refusal): Refusal => {
      const message = spanish && REFUSALS[String(refusal.details?.sandbox)]
      return message ? { ...refusal, message } : refusal
    },
  }
}
