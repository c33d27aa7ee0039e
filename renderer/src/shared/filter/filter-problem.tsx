import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Problem } from '#core/filter/problem.ts'
import { sentenceOf } from '#core/filter/problem-words.ts'
import { cx } from '@/shared/components/cx.ts'
import { useLanguage } from '@/shared/i18n/format.ts'

/** Half a condition is wrong until its second half is typed: a sentence at every letter would be noise. */
const DELAY_MS = 500

export interface FilterProblemProps {
  readonly id: string
  readonly problem: Problem
  readonly onReplace: (by: string) => void
}

export function FilterProblem({ id, problem, onReplace }: FilterProblemProps) {
  const { t } = useTranslation('stream')
  const language = useLanguage()
  const [shown, setShown] = useState<Problem | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setShown(problem), DELAY_MS)
    return () => clearTimeout(timer)
  }, [problem])
  if (!shown) return null
  return (
    <div
      id={id}
      role="alert"
      className={cx(
        'absolute z-float top-[calc(100%_+_5px)] left-0 border border-line-strong rounded-8 bg-panel',
        'shadow-float max-w-full text-s leading-[1.45] px-11 py-8',
        '[&_b]:text-invalid [&_b]:font-semibold',
      )}
    >
      <p>
        <b>{t('filter.column', { column: shown.at + 1 })}</b> {sentenceOf(shown)[language]}
      </p>
      {shown === problem && shown.suggestions ? (
        <div className="flex flex-wrap gap-6 mt-6">
          {shown.suggestions.slice(0, 4).map((by) => (
            <button
              key={by}
              type="button"
              className={cx(
                'h-22 px-7 py-0 border border-line-strong rounded-5 bg-bg code-s leading-none cursor-default',
                '[font-variant-ligatures:none]',
                'hover:bg-hover',
              )}
              aria-label={t('filter.replaceWith', { text: by })}
              onClick={() => onReplace(by)}
            >
              {by}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  )
}
