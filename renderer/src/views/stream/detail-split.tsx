import { AppWindow, PanelBottom, PanelRight, Trash2, X } from 'lucide-react'
import { type CSSProperties, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/icon-button.tsx'
import { type Edge, Splitter } from '@/components/splitter.tsx'
import { late } from '@/i18n/late.ts'
import { openAlone } from '@/live/new-window.ts'
import { useLayout } from '@/stores/layout.ts'
import { useSelection } from '@/stores/selection.ts'
import { removeOne } from '@/views/delivery/deeds.ts'
import { DeliveryActions } from '@/views/delivery/delivery-actions.tsx'
import { useDetailPlace } from './detail-place.ts'
import { focusGrid } from './focus.ts'
import styles from './stream-screen.module.css'

/** Details hold viewers and catalogue texts that the first draw does not need. */
const DetailPane = late(['detail'], async () => (await import('@/views/detail/detail-pane.tsx')).DetailPane)

/** As the style sheet has it. */
const LEAST_PX: Readonly<Record<Edge, number>> = { right: 300, bottom: 160 }

const MOD = /mac/i.test(navigator.platform) ? '⌘' : 'Ctrl'

/** Lets go of the details, and gives the focus back to the row they belonged to. */
export function closeDetail(): void {
  useSelection.getState().select(null)
  focusGrid()
}

function Actions({ id }: { readonly id: number }) {
  const { t } = useTranslation(['stream', 'shell'])
  const { dock, setDock } = useLayout()
  const narrow = useDetailPlace() !== dock
  const other = dock === 'right' ? 'bottom' : 'right'
  return (
    <>
      <DeliveryActions id={id} />
      <IconButton
        small
        label={t('delete')}
        kbd={t('shell:keyNames.Del')}
        icon={<Trash2 />}
        onClick={() => removeOne(id)}
      />
      <IconButton
        small
        label={t('inWindow')}
        kbd={`${MOD} ${t('shell:keyNames.Enter')}`}
        icon={<AppWindow />}
        onClick={() => openAlone(id)}
      />
      {narrow ? null : (
        <IconButton
          small
          label={t(other === 'right' ? 'dockRight' : 'dockBottom')}
          kbd="d"
          icon={other === 'right' ? <PanelRight /> : <PanelBottom />}
          onClick={() => setDock(other)}
        />
      )}
      <IconButton small label={t('closeDetail')} kbd="Esc" icon={<X />} onClick={closeDetail} />
    </>
  )
}

function Details({ id }: { readonly id: number }) {
  const { t } = useTranslation('stream')
  return (
    <section data-detail="" tabIndex={-1} aria-label={t('detail')} className={styles.pane}>
      <Suspense fallback={null}>
        <DetailPane id={id} actions={<Actions id={id} />} />
      </Suspense>
    </section>
  )
}

/**
 * The list alone, or with the details of the selected delivery: beside or below it in shares that are remembered, or over it, where
 * there is room for one of them only.
 */
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
        className={styles.split}
        data-edge={edge}
        style={beside ? ({ '--share': `${share[edge]}%` } as CSSProperties) : undefined}
      >
        <div className={styles.list}>{children}</div>
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
            <div className={styles.details}>
              <Details id={id} />
            </div>
          </>
        ) : null}
      </div>
      {id !== null && place === 'over' ? (
        <div data-over="" className={styles.over}>
          <Details id={id} />
        </div>
      ) : null}
    </>
  )
}
