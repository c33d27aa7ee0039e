import type { AttemptRow } from '#contract/replay.ts'

/** Attempts that got the same answer: equal status and body, or the same failure. */
export interface AnswerGroup {
  readonly key: string
  readonly attempts: readonly AttemptRow[]
}

/** Groups of equal answers, the largest first; of equal size, the one that came first. Attempts on their way are in none. */
export function answerGroups(attempts: readonly AttemptRow[]): readonly AnswerGroup[] {
  const groups = new Map<string, AttemptRow[]>()
  for (const attempt of attempts) {
    if (attempt.state === 'sending') continue
    const key = attempt.answerDigest ?? `${attempt.state}:${attempt.error?.code ?? ''}`
    const group = groups.get(key)
    if (group) group.push(attempt)
    else groups.set(key, [attempt])
  }
  return [...groups]
    .map(([key, list]) => ({ key, attempts: list }))
    .sort((a, b) => b.attempts.length - a.attempts.length)
}
