import type { SandboxOperation } from '#contract/sandbox.ts'
import { OPERATION_SENTENCES } from '@/i18n/es/sandbox-operations.ts'
import { useLanguage } from '@/i18n/format.ts'

type Described = { readonly summary: string }

/** What the sandbox says of its operations, in the window's language; its own words where this window has none for them. */
export function useOperationText(): {
  summary(operation: SandboxOperation): string
  parameter(parameter: SandboxOperation['parameters'][number]): string
} {
  const language = useLanguage()
  const said = ({ summary }: Described) =>
    (language === 'es' ? OPERATION_SENTENCES.get(summary) : undefined) ?? summary
  return { summary: said, parameter: said }
}
