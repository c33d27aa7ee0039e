import type { Refusal } from '#contract/errors.ts'
import type { SandboxOperation } from '#contract/sandbox.ts'
import { OPERATION_SENTENCES } from '@/features/sandbox/texts/es/sandbox-operations.ts'
import { REFUSAL_SENTENCES } from '@/features/sandbox/texts/es/sandbox-refusals.ts'
import { useLanguage } from '@/shared/i18n/format.ts'

type Described = { readonly summary: string }

/** What the sandbox says of its operations, in the window's language; its own words where this window has none for them. */
export function useOperationText(): {
  summary(operation: SandboxOperation): string
  parameter(parameter: SandboxOperation['parameters'][number]): string
  refusal(refusal: Refusal): Refusal
} {
  const language = useLanguage()
  const said = ({ summary }: Described) =>
    (language === 'es' ? OPERATION_SENTENCES.get(summary) : undefined) ?? summary
  const refusal = (one: Refusal): Refusal => {
    const known =
      language === 'es' ? REFUSAL_SENTENCES.find(([pattern]) => pattern.test(one.message)) : undefined
    return known ? { ...one, message: one.message.replace(...known) } : one
  }
  return { summary: said, parameter: said, refusal }
}
