import { AppWindow, PanelBottom, PanelRight, Trash2, X } from 'lucide-react'
import {
  type ComponentType,
  type CSSProperties,
  createContext,
  type KeyboardEvent as Key,
  type PointerEvent as Pointer,
  type ReactNode,
  useContext,
} from 'react'
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

/** Largest share in percent, so that the other pane keeps a quarter. */
const MOST = 75
const STEP = 2

interface SplitterProps {
  readonly label: string
  readonly edge: Dock
  readonly share: number
  readonly leastPx: number
  /** Called at the end of a drag, and for each key. */
  readonly onShare: (share: number) => void
  readonly onReset: () => void
}

/** Smallest and largest share of a pane in a container of a size in px. */
const limits = (sizePx: number, leastPx: number): readonly [number, number] => [
  Math.min(MOST, sizePx > 0 ? (leastPx / sizePx) * 100 : 0),
  MOST,
]

const within = (share: number, [least, most]: readonly [number, number]): number =>
  Math.min(most, Math.max(least, share))

/** Share in percent of a pane whose inner edge is at a point. @param box container of both panes */
function shareAt(box: DOMRect, edge: Dock, point: Pointer<HTMLElement>, leastPx: number): number {
  const size = edge === 'right' ? box.width : box.height
  const taken = edge === 'right' ? box.right - point.clientX : box.bottom - point.clientY
  return within(size > 0 ? (taken / size) * 100 : 0, limits(size, leastPx))
}

/** New share after a key; null for other keys. */
function shareByKey(key: string, edge: Dock, share: number, sizePx: number, leastPx: number): number | null {
  const [least, most] = limits(sizePx, leastPx)
  const next = {
    [edge === 'right' ? 'ArrowLeft' : 'ArrowUp']: share + STEP,
    [edge === 'right' ? 'ArrowRight' : 'ArrowDown']: share - STEP,
    Home: least,
    End: most,
  }[key]
  return next === undefined ? null : within(next, [least, most])
}

/** Sets `--share` on its parent, so that a drag re-renders no pane. Libraries measure before the first render. */
function Splitter({ label, edge, share, leastPx, onShare, onReset }: SplitterProps) {
  const room = (line: Element) => line.parentElement?.getBoundingClientRect() ?? new DOMRect()
  const dragged = (event: Pointer<HTMLElement>): number | null =>
    event.currentTarget.hasPointerCapture(event.pointerId)
      ? shareAt(room(event.currentTarget), edge, event, leastPx)
      : null
  const onKeyDown = (event: Key<HTMLElement>) => {
    const { width, height } = room(event.currentTarget)
    const next = shareByKey(event.key, edge, share, edge === 'right' ? width : height, leastPx)
    if (next === null) return
    event.preventDefault()
    event.stopPropagation()
    onShare(next)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be focused and moved
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={edge === 'right' ? 'vertical' : 'horizontal'}
      aria-valuenow={Math.round(share)}
      aria-valuemin={0}
      aria-valuemax={MOST}
      className={cx(
        'relative z-[calc(var(--layer-header)_+_1)] flex-none bg-line outline-none touch-none',
        '[transition:background-color_var(--ease)]',
        'after:absolute after:-inset-4 hover:bg-accent active:bg-accent focus-visible:bg-accent',
        'focus-visible:[box-shadow:0_0_0_1px_var(--accent)] hover:[box-shadow:0_0_0_1px_var(--accent)]',
        'active:[box-shadow:0_0_0_1px_var(--accent)]',
        edge === 'right' ? 'w-1 cursor-col-resize' : 'h-1 cursor-row-resize',
      )}
      onKeyDown={onKeyDown}
      onDoubleClick={onReset}
      onPointerDown={(event) => {
        if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        const now = dragged(event)
        if (now !== null) event.currentTarget.parentElement?.style.setProperty('--share', `${now}%`)
      }}
      onPointerUp={(event) => {
        const now = dragged(event)
        if (now !== null) onShare(now)
      }}
      onPointerCancel={(event) =>
        event.currentTarget.parentElement?.style.setProperty('--share', `${share}%`)
      }
    />
  )
}

/** Views of other features inside the stream, set by the window's routes. */
export interface StreamSlots {
  readonly DetailPane: ComponentType<{ readonly id: number; readonly actions: ReactNode }>
  readonly Checklist: ComponentType<{ readonly heading: 'h2' }>
}

export const SlotsContext = createContext<StreamSlots | null>(null)

/** @throws Error outside the stream's screen */
export function useSlots(): StreamSlots {
  const slots = useContext(SlotsContext)
  if (!slots) throw new Error('The stream is drawn by its screen only.')
  return slots
}
