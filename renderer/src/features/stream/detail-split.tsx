import { AppWindow, PanelBottom, PanelRight, Trash2, X } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import { DELIVERY } from '@/shared/deliveries/actions.ts'
import { remove } from '@/shared/deliveries/acts.ts'
import { DeliveryActions, DetailButton } from '@/shared/deliveries/delivery-actions.tsx'
import { useSelection } from '@/shared/live/pointing.ts'
import { openAlone } from '@/shared/platform/web.ts'
import { STREAM } from './actions.ts'
import { type Dock, useDetailPlace, useLayout } from './layout.ts'
import { closeDetail } from './moving.ts'
import { useSlots } from './slots.ts'
import { Splitter } from './splitter.tsx'

const LEAST_PX: Readonly<Record<Dock, number>> = { right: 300, bottom: 160 }
const ROOM: Readonly<Record<Dock, string>> = {
  right: 'w-[clamp(300px,var(--share),75%)]',
  bottom: 'h-[clamp(160px,var(--share),75%)]',
}

function Actions({ id }: { readonly id: number }) {
  const { t } = useTranslation('stream')
  const { dock, setDock } = useLayout()
  const narrow = useDetailPlace() !== dock
  const other = dock === 'right' ? 'bottom' : 'right'
  return (
    <>
      <DeliveryActions id={id} />
      <DetailButton of={DELIVERY.delete} label={t('delete')} icon={<Trash2 />} onClick={() => remove(id)} />
      <DetailButton
        of={STREAM.inWindow}
        label={t('inWindow')}
        icon={<AppWindow />}
        onClick={() => openAlone(id)}
      />
      {narrow ? null : (
        <DetailButton
          of={STREAM.dock}
          label={t(other === 'right' ? 'dockRight' : 'dockBottom')}
          icon={other === 'right' ? <PanelRight /> : <PanelBottom />}
          onClick={() => setDock(other)}
        />
      )}
      <DetailButton of={STREAM.close} label={t('closeDetail')} icon={<X />} onClick={closeDetail} />
    </>
  )
}

function Details({ id }: { readonly id: number }) {
  const { t } = useTranslation('stream')
  const { DetailPane } = useSlots()
  return (
    <section
      data-detail=""
      tabIndex={-1}
      aria-label={t('detail')}
      className="relative h-full min-w-0 overflow-hidden bg-panel outline-none focus-visible:[box-shadow:inset_0_0_0_2px_var(--accent)]"
    >
      <DetailPane id={id} actions={<Actions id={id} />} />
    </section>
  )
}

/** The list, with the details beside, below, or over it when there is room for one only. */
export function DetailSplit({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('stream')
  const id = useSelection((s) => s.id)
  const { share, setShare, resetShare } = useLayout()
  const place = useDetailPlace()
  const edge = place === 'right' ? 'right' : 'bottom'
  const beside = id !== null && place !== 'over'
  return (
    <>
      <div
        className={cx('flex h-full', edge === 'bottom' && 'flex-col')}
        style={beside ? ({ '--share': `${share[edge]}%` } as CSSProperties) : undefined}
      >
        <div className="flex flex-1 flex-col min-w-0 min-h-0 [&>:last-child]:flex-1">{children}</div>
        {beside ? (
          <>
            <Splitter
              label={t('splitter')}
              edge={edge}
              share={share[edge]}
              leastPx={LEAST_PX[edge]}
              onShare={(now) => setShare(edge, now)}
              onReset={() => resetShare(edge)}
            />
            <div className={cx('flex-none min-w-0 min-h-0', ROOM[edge])}>
              <Details id={id} />
            </div>
          </>
        ) : null}
      </div>
      {id !== null && place === 'over' ? (
        // The list stays rendered below, so that its keys still move to the next delivery.
        <div data-over="" className="absolute z-[calc(var(--layer-header)_+_3)] inset-0">
          <Details id={id} />
        </div>
      ) : null}
    </>
  )
}
