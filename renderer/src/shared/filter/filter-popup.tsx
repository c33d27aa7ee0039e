import { useEffect, useState } from 'react'
import type { Problem } from '#core/filter/problem.ts'
import { sentenceOf } from '#core/filter/problem-words.ts'
import { cx } from '@/shared/components/cx.ts'
import { showOption } from '@/shared/components/list-steps.ts'
import { useTexts } from '@/shared/i18n/format.ts'
import type { Offered } from './completions.ts'

export interface FilterPopupProps {
  /** Of the field; those of the list and its options begin with it. */
  readonly id: string
  readonly items: readonly Offered[]
  readonly active: number
  readonly onTake: (item: Offered) => void
}

export function FilterPopup({ id, items, active, onTake }: FilterPopupProps) {
  const { t, format, language } = useTexts('stream')
  return (
    <div
      role="listbox"
      id={`${id}-list`}
      aria-label={t('filter.suggestions')}
      className={cx(
        'absolute z-float top-[calc(100%_+_5px)] left-0 border border-line-strong rounded-8 bg-panel',
        'shadow-float w-[min(460px,100%)] min-w-300 max-h-300 overflow-y-auto p-4',
      )}
    >
      {items.map((item, i) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus; options are its active descendants
        <div
          key={item.insert}
          role="option"
          id={`${id}-${i}`}
          aria-selected={i === active}
          className={cx(
            'flex items-baseline gap-12 px-8 py-4 rounded-5 cursor-default [&_code]:flex-none [&_code]:text-fg [&_code]:text-s',
            i === active
              ? 'bg-selected forced-colors:outline-2 forced-colors:outline-[Highlight]'
              : 'hover:bg-hover',
          )}
          ref={i === active ? showOption : null}
          // Before the field loses the focus, and with it the popup.
          onMouseDown={(event) => {
            event.preventDefault()
            onTake(item)
          }}
        >
          <code>{item.insert}</code>
          <span className="min-w-0 text-fg-2 text-s truncate">{item.meaning[language]}</span>
          {item.count ? (
            <small className="ml-auto text-fg-3 text-xs tabular-nums">
              {format.number(item.count.n)}
              {item.count.exact ? '' : '+'}
            </small>
          ) : null}
        </div>
      ))}
    </div>
  )
}

/** Half a condition is wrong until its second half is typed: a sentence at every letter would be noise. */
const DELAY_MS = 500

interface FilterProblemProps {
  readonly id: string
  readonly problem: Problem
  readonly onReplace: (by: string) => void
}

export function FilterProblem({ id, problem, onReplace }: FilterProblemProps) {
  const { t, language } = useTexts('stream')
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
