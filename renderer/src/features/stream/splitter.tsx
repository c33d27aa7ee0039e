import type { KeyboardEvent as Key, PointerEvent as Pointer } from 'react'
import { cx } from '@/shared/components/cx.ts'
import type { Dock } from './layout.ts'

/** Largest share in percent, so that the other pane keeps a quarter. */
const MOST = 75
const STEP = 2

export interface SplitterProps {
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
export function Splitter({ label, edge, share, leastPx, onShare, onReset }: SplitterProps) {
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
