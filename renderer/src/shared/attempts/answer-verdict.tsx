import { useTranslation } from 'react-i18next'
import type { AttemptRow } from '#contract/replay.ts'
import { Button } from '@/shared/components/button.tsx'
import { AttemptMark } from './attempt-mark.tsx'
import type { Comparison } from './compare-view.tsx'

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

export interface AnswerVerdictProps {
  readonly attempts: readonly AttemptRow[]
  readonly onOpen: (attempt: number) => void
  readonly onCompare: (comparison: Comparison) => void
}

/** Whether all answers to the same request are equal, and which there were: an idempotent handler's are equal. */
export function AnswerVerdict({ attempts, onOpen, onCompare }: AnswerVerdictProps) {
  const { t } = useTranslation('replays')
  const groups = answerGroups(attempts)
  const [first] = groups
  const base = first?.attempts[0]
  if (!first || !base) return null
  const equal = groups.length === 1
  const among = attempts.filter(({ state }) => state !== 'sending')
  return (
    <>
      {attempts.length > 1 ? (
        <p className="flex items-center gap-6 mt-10 -mb-2 heading-m">
          <span className={equal ? 'text-valid' : 'text-invalid'} aria-hidden="true">
            {equal ? '✓' : '≠'}
          </span>
          {equal
            ? t('times.equal', { count: attempts.length })
            : t('times.different', { count: groups.length, of: attempts.length })}
        </p>
      ) : null}
      <ul className="grid gap-6 mt-10">
        {groups.map((group) => {
          const one = group.attempts[0] ?? base
          return (
            <li
              key={group.key}
              className="flex flex-wrap items-center gap-x-10 gap-y-4 px-10 py-6 border border-line rounded text-s"
            >
              <b>{t('times.count', { count: group.attempts.length })}</b>
              <AttemptMark attempt={one} />
              <span className="flex-1" />
              {group === first ? null : (
                <Button
                  small
                  onClick={() => onCompare({ of: 'answers', left: base.id, right: one.id, among })}
                >
                  {t('times.compare')}
                </Button>
              )}
              <Button small variant="quiet" onClick={() => onOpen(one.id)}>
                {t('times.open')}
              </Button>
            </li>
          )
        })}
      </ul>
    </>
  )
}
