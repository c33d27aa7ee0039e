import { Download, FilterX, Pause, Play, Search, TriangleAlert } from 'lucide-react'
import { memo, Suspense, useEffect } from 'react'
import type { Verdict } from '#contract/delivery.ts'
import type { Refusal } from '#contract/errors.ts'
import { useKeyHint } from '@/shared/components/action-keys.tsx'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { LatePopup, noteFirstDraw, useIdle } from '@/shared/components/late-popup.tsx'
import { Unread } from '@/shared/components/refused.tsx'
import { VERDICT_INK, VERDICT_SIGNS } from '@/shared/components/tag.tsx'
import { DELIVERY } from '@/shared/deliveries/actions.ts'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { reopenList, useSort } from '@/shared/deliveries/list.ts'
import { useSummary } from '@/shared/deliveries/summary.ts'
import { FilterField } from '@/shared/filter/filter-field.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { late, lateView } from '@/shared/i18n/texts.ts'
import { valuesOf, withValues } from '@/shared/live/filter-edit.ts'
import { focusGrid } from '@/shared/live/focus.ts'
import { useChosen, useCursor, useFollow, useSelection } from '@/shared/live/pointing.ts'
import { useStatus } from '@/shared/live/status.ts'
import { STREAM } from './actions.ts'
import { DeliveryGrid } from './delivery-grid.tsx'
import { DetailSplit, SlotsContext, type StreamSlots } from './detail-split.tsx'
import { useTimelineLook } from './layout.ts'
import { listView, togglePause, useGoing } from './moving.ts'
import styles from './stream-screen.module.css'
import { KindsTrigger, SavedTrigger } from './triggers.tsx'
import { ListContext, type ListView, useListView } from './use-list-view.ts'

const MissedNotice = lateView([], async () => (await import('./strips.tsx')).MissedNotice)
const SearchProgress = lateView(['filters'], async () => (await import('./strips.tsx')).SearchProgress)
const OrderStrip = lateView(['order'], async () => (await import('./strips.tsx')).OrderStrip)
const GoToTime = lateView(['order'], async () => (await import('./go-to-time.tsx')).GoToTime)
const EmptyStream = lateView([], async () => (await import('./empty-stream.tsx')).EmptyStream)

const TimelineStrip = late(['timeline'], async () => (await import('./timeline-strip.tsx')).TimelineStrip)

/** The timeline loads after the first rows; its space is reserved, so that nothing moves. */
const OverList = memo(function OverList({ phase }: { readonly phase: Phase }) {
  const open = useTimelineLook((s) => s.open)
  const idle = useIdle()
  const place = <div className={cx('border-b border-line bg-panel', open ? 'h-119' : 'h-29')} />
  if (phase === 'empty' || phase === 'failed') return <div />
  return phase === 'loading' || !idle ? (
    place
  ) : (
    <Suspense fallback={place}>
      <TimelineStrip />
    </Suspense>
  )
})

function NoMatch() {
  const { t } = useTexts('stream')
  const set = useFilter((s) => s.set)
  const stored = useStatus((s) => s.status?.counts.stored) ?? 0
  return (
    <EmptyState
      icon={<FilterX />}
      title={t('noMatch.title')}
      actions={<Button onClick={() => set('')}>{t('noMatch.clear')}</Button>}
    >
      {t('noMatch.text', { count: stored })}
    </EmptyState>
  )
}

/** Content below the filter. */
type Phase = 'list' | 'failed' | 'loading' | 'searching' | 'none' | 'empty'
function phaseOf({ total, refusal, loading, filter, searching }: ListView['state']): Phase {
  if (total > 0) return 'list'
  if (refusal) return 'failed'
  if (loading === 'first') return 'loading'
  if (searching) return 'searching'
  return filter === '' ? 'empty' : 'none'
}

const Content = memo(function Content(props: { readonly phase: Phase; readonly refusal: Refusal | null }) {
  const { phase, refusal } = props
  const { t } = useTexts(['stream', 'common'])
  const refusalText = useRefusalText()
  switch (phase) {
    case 'list':
      return (
        <DetailSplit>
          <Unread refusal={refusal} title={`${t('failed.title')}.`} onRetry={reopenList} />
          <DeliveryGrid />
        </DetailSplit>
      )
    case 'failed':
      return (
        <EmptyState
          icon={<TriangleAlert />}
          title={t('failed.title')}
          actions={<Button onClick={reopenList}>{t('common:retry')}</Button>}
        >
          {refusal && refusalText(refusal)}
        </EmptyState>
      )
    case 'searching':
      return (
        <DetailSplit>
          <EmptyState icon={<Search />} title={t('searching.title')}>
            {t('searching.text')}
          </EmptyState>
        </DetailSplit>
      )
    case 'none':
      // A notification can open details beside an empty list.
      return (
        <DetailSplit>
          <NoMatch />
        </DetailSplit>
      )
    case 'empty':
      return <EmptyStream />
    case 'loading':
      return null
  }
})

/** Id of the open delivery that the filter hides, until the delivery or the filter changes. */
function useMissed(filter: string): number | null {
  const missed = useCursor((s) => s.missed)
  const open = useSelection((s) => s.id)
  return missed !== null && missed.id === open && missed.filter === filter ? missed.id : null
}

export function StreamScreen(slots: StreamSlots) {
  const view = useListView()
  const phase = phaseOf(view.state)
  listView.useShown(view)
  // A hidden delivery must not be sent by accident.
  const { filter } = view.state
  // biome-ignore lint/correctness/useExhaustiveDependencies: any change of the filter clears the selection
  useEffect(() => useChosen.getState().clear(), [filter])
  useEffect(() => {
    if (phase !== 'loading') noteFirstDraw()
  }, [phase])
  const missed = useMissed(view.state.filter)
  const going = useGoing((s) => s.asked)
  return (
    <div className={cx(styles.screen, 'flex flex-col min-w-0 min-h-0 h-full overflow-hidden')}>
      <FilterBar />
      <div className={cx(styles.strips, 'flex-none')}>
        <OverList phase={phase} />
        {missed === null ? null : <MissedNotice id={missed} />}
        {view.state.searching ? (
          <SearchProgress found={view.state.total} searching={view.state.searching} />
        ) : null}
        {going ? <GoToTime /> : null}
        {view.state.building || (view.state.sort && view.state.total > 0) ? (
          <OrderStrip building={view.state.building} newer={view.state.newer} />
        ) : null}
      </div>
      <div className="flex-1 min-w-0 min-h-0 has-[[data-over]]:relative">
        <SlotsContext value={slots}>
          <ListContext value={view}>
            <Content phase={phase} refusal={view.state.refusal} />
          </ListContext>
        </SlotsContext>
      </div>
    </div>
  )
}

/** Worst first. */
const CHIPS: readonly Verdict[] = ['unreadable', 'invalid', 'warning', 'noted', 'valid']

function VerdictChips() {
  const { t, format } = useTexts(['stream', 'common'])
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
  const { t } = useTexts('stream')
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
const FilterBar = memo(function FilterBar() {
  const { t } = useTexts('stream')
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
      <h1 className="mr-6 text-l font-semibold tracking-[-0.01em] max-[960px]:visually-hidden">
        {t('title')}
      </h1>
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
