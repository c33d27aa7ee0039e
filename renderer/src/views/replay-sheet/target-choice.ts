import type { Target } from '#contract/replay.ts'

/** The choice that stands for a URL typed for this once. */
export const TYPED = '://'

/** What is wrong with a URL that deliveries are to go to; null when nothing is. */
export function urlProblem(text: string): 'missing' | 'notHttp' | 'credentials' | null {
  if (text.trim() === '') return 'missing'
  const url = URL.parse(text.trim())
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'notHttp'
  return url.username || url.password ? 'credentials' : null
}

export interface TargetChoice {
  /** Name of a target, or TYPED. */
  readonly chosen: string
  readonly typed: string
}

/** The default target when there is one, else the first; without any, a URL is typed. */
export function firstChoice(targets: readonly Target[], defaultTarget: string | null): TargetChoice {
  return { chosen: defaultTarget ?? targets[0]?.name ?? TYPED, typed: 'http://127.0.0.1:3000/' }
}

/** @returns what `SendTo.target` takes; null while the URL typed is none */
export function referenceOf({ chosen, typed }: TargetChoice): string | null {
  if (chosen !== TYPED) return chosen
  return urlProblem(typed) === null ? typed.trim() : null
}
