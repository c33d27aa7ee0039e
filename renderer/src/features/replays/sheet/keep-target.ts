import { DEFAULT_TARGET } from '#contract/defaults.ts'
import type { Target } from '#contract/target.ts'
import { api } from '@/shared/live/api.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { nameForUrl } from '@/shared/targets/target-choice.ts'

/** Makes a typed URL a target with the usual options, unless one has it already. @returns its name */
export async function keptTarget(url: string, targets: readonly Target[]): Promise<string> {
  const known = targets.find((target) => target.url === url)
  if (known) return known.name
  const name = nameForUrl(
    url,
    targets.map((target) => target.name),
  )
  useSettings.getState().receive(await api.call('targets.save', { ...DEFAULT_TARGET, name, url }))
  return name
}
