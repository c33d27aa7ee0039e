import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** Chromium clamps element heights at 33.5 million px, Firefox near 17.9: above this limit scrolling is scaled. */
const LARGEST_PX = 15_000_000

export interface Scale {
  readonly full: number
  /** Actual height of the element in the document. */
  readonly px: number
  /** Maximum offset of the view within `full`. */
  readonly end: number
  /** Logical pixels per real one of scrolling; 1 below the limit. */
  readonly factor: number
}

/** @param count rows; @param rowPx height of one; @param viewport height in which they show, px */
export function scaleOf(count: number, rowPx: number, viewport: number): Scale {
  const full = count * rowPx
  const px = Math.min(full, LARGEST_PX)
  const end = Math.max(0, full - viewport)
  const factor = px < full ? end / Math.max(1, px - viewport) : 1
  return { full, px, end, factor }
}

export interface Band {
  /** Overscan rows at each edge, so that a fast scroll meets rows and not blank space. */
  readonly beyond: number
  /** The window's bounds are multiples of this, so that most scroll steps cause no redraw. */
  readonly step: number
}

/** Rows to draw at an offset: `first` included, `past` excluded. */
export function windowOf(
  offset: number,
  rowPx: number,
  viewport: number,
  count: number,
  { beyond, step }: Band,
): { readonly first: number; readonly past: number } {
  const first = Math.floor((Math.floor(offset / rowPx) - beyond) / step) * step
  const past = Math.ceil((Math.ceil((offset + viewport) / rowPx) + beyond) / step) * step
  return { first: Math.max(0, first), past: Math.max(0, Math.min(count, past)) }
}

/** The offset closest to the current one at which a row is fully visible. */
export function offsetToShow(index: number, rowPx: number, offset: number, viewport: number): number {
  const top = index * rowPx
  if (top < offset) return top
  if (top + rowPx > offset + viewport) return top + rowPx - viewport
  return offset
}

interface Place {
  /** Logical offset into all rows, px. */
  readonly offset: number
  /** Actual `scrollTop` of the element. */
  readonly scrollTop: number
}

export interface VirtualRowsOptions {
  readonly count: number
  readonly rowPx: number
  /** Height of the sticky header above the rows. */
  readonly headerPx?: number
  readonly beyond?: number
  /** Called with the offset when the user scrolled, not `moveTo`. */
  readonly onUserScroll?: (offset: number) => void
}

export interface VirtualRows {
  /** Callback ref of the scrolling element, which may mount and unmount: an empty list has none. @returns its clean-up */
  readonly scroller: (element: HTMLDivElement) => () => void
  /** Rows to draw: first included, past excluded. */
  readonly first: number
  readonly past: number
  /** Height of the element inside the scroller, px. */
  readonly height: number
  /** Top of the first drawn row inside that element, px. */
  readonly top: number
  /** Number of whole rows in view, at least one. */
  readonly pageRows: number
  /** The current logical offset, px: a function, because most scroll steps cause no redraw. */
  offset(): number
  moveTo(offset: number): void
  /** Scrolls a row into view by the smallest distance, or to the middle. */
  reveal(row: number, to?: 'nearest' | 'center'): void
}

/** Estimated share of the window's height before layout: a good guess saves a second draw at the start. */
const GUESS = 0.8

/** One redraw per four scrolled rows. A scaled scroll bar needs one per step, because the rows are moved by hand. */
const bandOf = (beyond: number, factor: number): Band => ({ beyond, step: factor === 1 ? 4 : 1 })

/** Virtual scrolling for rows of equal height. The offset is kept here, so that the wheel stays pixel-exact on a scaled scroll bar. */
export function useVirtualRows(options: VirtualRowsOptions): VirtualRows {
  const { count, rowPx, headerPx = 0, beyond = 12, onUserScroll } = options
  const [place, setPlace] = useState<Place>({ offset: 0, scrollTop: 0 })
  const [guessed] = useState(() => innerHeight * GUESS)
  const [measured, setMeasured] = useState<number | null>(null)
  const viewport = measured ?? guessed
  const scale = scaleOf(count, rowPx, viewport)
  const band = bandOf(measured === null ? 0 : beyond, scale.factor)
  const drawn = { count, rowPx, viewport, scale, band, onUserScroll }
  const latest = useRef(drawn)
  const attached = useRef<HTMLDivElement>(null)
  /** The exact position; the state `place` changes only when the drawn rows change. */
  const now = useRef(place)
  const asked = useRef(place)
  const put = useCallback((next: Place) => {
    const { rowPx: row, viewport: seen, count: all, band: more, scale: s } = latest.current
    const before = windowOf(asked.current.offset, row, seen, all, more)
    const after = windowOf(next.offset, row, seen, all, more)
    now.current = next
    if (s.factor === 1 && before.first === after.first && before.past === after.past) return
    asked.current = next
    setPlace(next)
  }, [])

  const moveTo = useCallback(
    (wanted: number) => {
      const element = attached.current
      const { scale: s } = latest.current
      // An empty list has no element yet; the offset applies once it mounts.
      if (!element) return put({ offset: Math.max(0, wanted), scrollTop: 0 })
      const offset = Math.max(0, Math.min(s.end, wanted))
      // The view is at the top already; reading the element would force a layout.
      if (offset === 0 && now.current.offset === 0 && now.current.scrollTop === 0) return
      const target = offset / s.factor
      if (Math.abs(element.scrollTop - target) >= 1) element.scrollTop = target
      put({ offset, scrollTop: element.scrollTop })
    },
    [put],
  )

  useLayoutEffect(() => {
    const { viewport: before, scale: was } = latest.current
    latest.current = drawn
    // The end stays the end: the view may have become lower, or a key moved there by the guessed height.
    const { offset } = now.current
    if (viewport !== before && offset > 0 && offset >= was.end) moveTo(Number.POSITIVE_INFINITY)
  })

  const scroller = useCallback(
    (element: HTMLDivElement) => {
      attached.current = element
      const measure = () => {
        const height = Math.max(0, element.clientHeight - headerPx)
        // flushSync draws the added rows before the browser paints the empty space.
        if (height > latest.current.viewport) flushSync(() => setMeasured(height))
        else setMeasured(height)
      }
      const scrolled = () => {
        const { scrollTop } = element
        // Our own scrolling fires this event too; only a different position comes from the user.
        if (Math.abs(scrollTop - now.current.scrollTop) < 1) return
        const { scale: s, onUserScroll: tell } = latest.current
        const offset = Math.min(s.end, scrollTop * s.factor)
        put({ offset, scrollTop })
        tell?.(offset)
      }
      const wheeled = (event: WheelEvent) => {
        const { scale: s, rowPx: row, viewport: seen, onUserScroll: tell } = latest.current
        if (s.factor === 1 || event.ctrlKey || event.deltaY === 0) return
        // One wheel notch on a scaled scroll bar would skip screens; move by exact pixels instead.
        event.preventDefault()
        const unit = [1, row, seen][event.deltaMode] ?? 1
        const before = now.current.offset
        moveTo(before + event.deltaY * unit)
        if (now.current.offset !== before) tell?.(now.current.offset)
      }
      const observer = new ResizeObserver(measure)
      observer.observe(element)
      element.addEventListener('scroll', scrolled, { passive: true })
      element.addEventListener('wheel', wheeled, { passive: false })
      // A newly mounted element is at the top and fires no scroll event, so its offset is restored once its height is set.
      if (now.current.offset > 0)
        queueMicrotask(() => attached.current === element && moveTo(now.current.offset))
      return () => {
        attached.current = null
        observer.disconnect()
        element.removeEventListener('scroll', scrolled)
        element.removeEventListener('wheel', wheeled)
      }
    },
    [headerPx, moveTo, put],
  )

  const offset = useCallback(() => Math.min(now.current.offset, latest.current.scale.end), [])
  const reveal = useCallback(
    (row: number, to: 'nearest' | 'center' = 'nearest') => {
      const { rowPx: height, viewport } = latest.current
      const seen = attached.current ? attached.current.clientHeight - headerPx : viewport
      const target = offsetToShow(row, height, offset(), seen)
      if (target === offset()) return
      moveTo(to === 'center' ? row * height - (seen - height) / 2 : target)
    },
    [headerPx, moveTo, offset],
  )

  const shown = Math.min(place.offset, scale.end)
  const { first, past } = windowOf(shown, rowPx, viewport, count, band)
  return {
    scroller,
    first,
    past,
    height: scale.px,
    top: scale.factor === 1 ? first * rowPx : place.scrollTop - (shown - first * rowPx),
    pageRows: Math.max(1, Math.floor(viewport / rowPx)),
    offset,
    moveTo,
    reveal,
  }
}
