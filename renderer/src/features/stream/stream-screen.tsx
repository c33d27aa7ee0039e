import { FilterX, Search, TriangleAlert } from 'lucide-react'
import { memo, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Refusal } from '#contract/errors.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { noteFirstDraw, useIdle } from '@/shared/components/late-popup.tsx'
import { Unread } from '@/shared/components/refused.tsx'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { reopenList } from '@/shared/deliveries/list.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { late, lateView } from '@/shared/i18n/texts.ts'
import { useChosen, useCursor, useSelection } from '@/shared/live/pointing.ts'
import { useStatus } from '@/shared/live/status.ts'
import { DeliveryGrid } from './delivery-grid.tsx'
import { DetailSplit, SlotsContext, type StreamSlots } from './detail-split.tsx'
import { FilterBar } from './filter-bar.tsx'
import { useTimelineLook } from './layout.ts'
import { listView, useGoing } from './moving.ts'
import styles from './stream-screen.module.css'
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
  const { t } = useTranslation('stream')
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
  const { t } = useTranslation(['stream', 'common'])
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
