import { fullUrl } from '#contract/params.ts'
import type { Target } from '#contract/target.ts'
import { isLoopback } from '@/shared/formats/url.ts'

/** The choice that stands for a URL typed for this once. */
export const TYPED = '://'

/** What is wrong with a URL that deliveries are to go to; null when nothing is. */
export function urlProblem(text: string): 'missing' | 'notHttp' | 'credentials' | null {
  if (text.trim() === '') return 'missing'
  const url = URL.parse(fullUrl(text))
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'notHttp'
  return url.username || url.password ? 'credentials' : null
}

export interface TargetChoice {
  /** Name of a target, or TYPED. */
  readonly chosen: string
  readonly typed: string
}

/** The default target, else the first; without any, a URL is typed. @param typed the URL sent to last in this window; null: none */
export function firstChoice(
  targets: readonly Target[],
  defaultTarget: string | null,
  typed: string | null = null,
): TargetChoice {
  return { chosen: defaultTarget ?? targets[0]?.name ?? TYPED, typed: typed ?? 'http://127.0.0.1:3000/' }
}

/** A name for a target with this URL: its host and port, with a number behind it where that is taken. */
export function nameForUrl(url: string, taken: readonly string[]): string {
  const host = URL.parse(url)?.host.toLowerCase() ?? ''
  const plain =
    host
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, 50)
      .replaceAll(/^-+|-+$/g, '') || 'target'
  let name = plain
  for (let next = 2; taken.includes(name); next++) name = `${plain}-${next}`
  return name
}

/** @returns what `SendTo.target` takes; null while the URL typed is none */
export function referenceOf({ chosen, typed }: TargetChoice): string | null {
  if (chosen !== TYPED) return chosen
  return urlProblem(typed) === null ? fullUrl(typed) : null
}

/** The host that gets no Cookie and Authorization of the deliveries themselves; null where they go along, or the URL is none. */
export function withholdingHost(choice: TargetChoice, targets: readonly Target[]): string | null {
  const target = targets.find(({ name }) => name === choice.chosen)
  const host = URL.parse(target?.url ?? referenceOf(choice) ?? '')?.hostname
  return host === undefined || isLoopback(host) || target?.keepCredentials ? null : host
}
