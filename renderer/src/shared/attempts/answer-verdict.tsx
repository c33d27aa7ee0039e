import { useTranslation } from 'react-i18next'
import type { AttemptRow } from '#contract/replay.ts'
import { Button } from '@/shared/components/button.tsx'
import { AttemptMark } from './attempt-mark.tsx'
import type { Comparison } from './compare-view.tsx'

/**
 * Groups attempts by equal answer (status and body, or the failure), the largest group first; groups of equal size by first occurrence.
 * Attempts still in progress are left out.
 */
export function answerGroups(attempts: readonly AttemptRow[]) {
  const ended = attempts.filter(({ state }) => state !== 'sending')
  return [...Map.groupBy(ended, (one) => one.answerDigest ?? `${one.state}:${one.error?.code ?? ''}`)]
    .map(([key, list]) => ({ key, attempts: list }))
    .sort((a, b) => b.attempts.length - a.attempts.length)
}

export interface AnswerVerdictProps {
  readonly attempts: readonly AttemptRow[]
  readonly onOpen: (attempt: number) => void
  readonly onCompare: (comparison: Comparison) => void
}

/** Shows whether all answers to the same request are equal, as an idempotent handler's are, and lists the different ones. */
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
