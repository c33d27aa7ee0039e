import { Download, Pause, Play } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Verdict } from '#contract/delivery.ts'
import { useKeyHint } from '@/shared/components/action-keys.tsx'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { LatePopup } from '@/shared/components/late-popup.tsx'
import { VERDICT_INK, VERDICT_SIGNS } from '@/shared/components/tag.tsx'
import { DELIVERY } from '@/shared/deliveries/actions.ts'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { useSort } from '@/shared/deliveries/list.ts'
import { useSummary } from '@/shared/deliveries/summary.ts'
import { FilterField } from '@/shared/filter/filter-field.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { late } from '@/shared/i18n/texts.ts'
import { valuesOf, withValues } from '@/shared/live/filter-edit.ts'
import { focusGrid } from '@/shared/live/focus.ts'
import { useFollow } from '@/shared/live/pointing.ts'
import { STREAM } from './actions.ts'
import { togglePause } from './moving.ts'
import { KindsTrigger, SavedTrigger } from './triggers.tsx'

/** Worst first. */
const CHIPS: readonly Verdict[] = ['unreadable', 'invalid', 'warning', 'noted', 'valid']

function VerdictChips() {
  const { t } = useTranslation(['stream', 'common'])
  const format = useFormat()
  const summary = useSummary((s) => s.summary)
  const { text, set } = useFilter()
  const chosen = valuesOf(text, 'verdict')
  return (
    <fieldset
      aria-label={t('chips.label')}
      className="m-0 p-0 border-0 min-w-0 flex flex-none gap-4 max-[760px]:order-3"
    >
      {CHIPS.map((verdict) => {
        const count = summary?.verdicts[verdict] ?? 0
        const on = chosen.includes(verdict)
        const word = t(`common:verdict.${verdict}`)
        const name = t('chips.toggle', { verdict: word, count })
        return (
          <button
            key={verdict}
            type="button"
            aria-pressed={on}
            aria-label={name}
            title={name}
            className={cx(
              'inline-flex items-center gap-5 h-22 px-8 py-0 border rounded-11 chip-xs tabular-nums',
              'cursor-default [transition:background-color_var(--ease)]',
              '[&_b]:font-bold',
              on
                ? 'border-transparent bg-accent-weak text-accent-text forced-colors:outline-2 forced-colors:outline-[Highlight]'
                : cx('border-line bg-transparent hover:bg-hover', count === 0 ? 'text-fg-3' : 'text-fg-2'),
            )}
            onClick={() => {
              const values = on ? chosen.filter((v) => v !== verdict) : [...chosen, verdict]
              set(withValues(text, 'verdict', values))
            }}
          >
            <b aria-hidden="true" className={VERDICT_INK[verdict]}>
              {VERDICT_SIGNS[verdict]}
            </b>
            {format.compact(count)}
          </button>
        )
      })}
    </fieldset>
  )
}

function FilterInput() {
  const { t } = useTranslation('stream')
  const { text, problem, type, set, enter } = useFilter()
  return (
    <FilterField
      main={STREAM.filter}
      label={t('filter.label')}
      text={text}
      problem={problem}
      placeholder={t('filter.placeholder')}
      onType={type}
      onSet={set}
      onEnter={() => {
        // With an error the focus stays here: in the list, letters are commands.
        void enter().then((right) => {
          if (right && document.activeElement?.matches('[data-filter]')) focusGrid()
        })
      }}
      onLeave={focusGrid}
    />
  )
}

const SavedFilters = late(['filters'], async () => (await import('./saved-filters.tsx')).SavedFilters)
const KindsMenu = late([], async () => (await import('./kinds-menu.tsx')).KindsMenu)

/** Memoized, because the screen renders with every push. */
export const FilterBar = memo(function FilterBar() {
  const { t } = useTranslation('stream')
  const hint = useKeyHint()
  const paused = useFollow((s) => s.paused)
  const sorted = useSort() !== null
  return (
    <header
      className={cx(
        'relative z-float flex flex-none items-center gap-8 min-h-bar px-12 border-b border-line bg-panel',
        'max-[960px]:flex-wrap max-[960px]:py-7',
      )}
    >
      <h1 className="mr-6 text-l font-semibold tracking-[-0.01em] max-[960px]:hidden">{t('title')}</h1>
      <FilterInput />
      <LatePopup trigger={(press) => <SavedTrigger onClick={press} />}>
        {(open) => <SavedFilters defaultOpen={open} />}
      </LatePopup>
      <VerdictChips />
      <LatePopup trigger={(press) => <KindsTrigger onClick={press} />}>
        {(open) => <KindsMenu defaultOpen={open} />}
      </LatePopup>
      <Button
        className="flex-none max-[1080px]:[&_kbd]:hidden"
        data-writes
        aria-pressed={paused}
        disabled={sorted}
        title={t(sorted ? 'sort.standing' : 'pauseHint')}
        icon={paused ? <Play /> : <Pause />}
        kbd={hint(STREAM.pause)}
        onClick={togglePause}
      >
        {paused ? t('resume') : t('pause')}
      </Button>
      <IconButton
        label={t('chosen.export')}
        kbd={hint(DELIVERY.export)}
        icon={<Download />}
        onClick={() => DELIVERY.export.run()}
      />
    </header>
  )
})
