import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useKeyHint } from '@/shared/components/action-keys.tsx'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Progress } from '@/shared/components/progress.tsx'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { list, reopenList, sortList, useSort } from '@/shared/deliveries/list.ts'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import type { SourceState } from '@/shared/live/delivery-source.ts'
import { focusGrid } from '@/shared/live/focus.ts'
import { STREAM } from './actions.ts'
import { sortName } from './use-columns.ts'

/** A line above the list with progress, text and buttons. */
function Strip(props: {
  readonly progress: { readonly label: string; readonly value: number; readonly max: number } | null
  readonly children: ReactNode
}) {
  const { progress, children } = props
  return (
    <div className="flex items-center gap-10 px-12 py-4 border-b border-line bg-panel text-fg-2 text-s tabular-nums">
      {progress ? (
        <div className="w-120">
          <Progress {...progress} />
        </div>
      ) : null}
      {children}
    </div>
  )
}

const percent = (done: number, of: number): number => Math.floor((done / Math.max(1, of)) * 100)

/** States that a sorted list does not follow new deliveries, with a button back to arrival order. */
export function OrderStrip({ building, newer }: Pick<SourceState, 'building' | 'newer'>) {
  const { t } = useTranslation(['order', 'stream'])
  const { t: named } = useTranslation('stream')
  const hint = useKeyHint()
  const sort = useSort()
  const column = sort ? sortName(named, sort.by) : ''
  return (
    <Strip progress={building ? { label: t('progress'), value: building.done, max: building.of } : null}>
      <span>
        {building
          ? t('building', { column, share: percent(building.done, building.of), of: building.of })
          : t(sort?.descending ? 'standsDown' : 'standsUp', { column })}
      </span>
      {newer > 0 ? (
        <Button small variant="primary" icon={<RotateCw />} title={t('renew')} onClick={reopenList}>
          {t('new', { count: newer })}
        </Button>
      ) : null}
      <Button
        small
        kbd={hint(STREAM.follow)}
        onClick={() => {
          sortList(null)
          focusGrid()
        }}
      >
        {t('back')}
      </Button>
    </Strip>
  )
}

export interface SearchProgressProps {
  readonly found: number
  readonly searching: NonNullable<SourceState['searching']>
}

/** Progress of a search, with a button to stop it. */
export function SearchProgress({ found, searching: { scanned, of, stopped } }: SearchProgressProps) {
  const { t } = useTranslation(['filters'])
  return (
    <Strip progress={{ label: t('search.progress'), value: scanned, max: of }}>
      <span>
        {t(stopped ? 'search.stopped' : 'search.running', { share: percent(scanned, of), count: found })}
      </span>
      <Button small onClick={() => list.stopSearching(!stopped)}>
        {t(stopped ? 'search.resume' : 'search.stop')}
      </Button>
    </Strip>
  )
}

export function MissedNotice({ id }: { readonly id: number }) {
  const { t } = useTranslation('stream')
  const show = () => {
    useFilter.getState().set('')
    const stop = list.subscribe(() => {
      if (list.state().filter !== '') return
      stop()
      void openDelivery(id, null)
    })
  }
  return (
    <Banner
      tone="info"
      actions={
        <Button small onClick={show}>
          {t('missedShow')}
        </Button>
      }
    >
      {t('missed', { id })}
    </Banner>
  )
}
