import { useTranslation } from 'react-i18next'
import type { SandboxScenario } from '#contract/sandbox.ts'

const KNOWN = [
  ...(['accepted', 'rejected-corrected', 'conditional', 'credit-note', 'void-before'] as const),
  ...(['void-after', 'month', 'outage-day', 'burst'] as const),
] as const

/** Title and summary in the window's language; the host's own words for one that this window does not know. */
export function useScenarioText({ slug, title, summary }: SandboxScenario): {
  readonly title: string
  readonly summary: string
} {
  const { t } = useTranslation('sandbox')
  const known = KNOWN.find((one) => one === slug)
  if (!known) return { title, summary }
  return { title: t(`scenarios.names.${known}.title`), summary: t(`scenarios.names.${known}.summary`) }
}

/** How many documents it makes when nothing is said; null leaves that to the sandbox. */
export const usualCount = (slug: string): number | null =>
  slug === 'outage-day' ? 60 : slug === 'month' || slug === 'burst' ? 100 : null
