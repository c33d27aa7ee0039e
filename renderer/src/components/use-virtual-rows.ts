import { type RefCallback, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Band, offsetToShow, scaleOf, windowOf } from './scroll-scale.ts'

interface Place {
  /** Pixels into all rows. */
  readonly offset: number
  /** Where the scroll bar really stands. */
  readonly scrollTop: number
}

export interface VirtualRowsOptions {
  readonly count: number
  /** Height of every row, px. */
  readonly rowPx: number
  /** Height of what sticks to the top of the scroller, in front of the rows. */
  readonly headerPx?: number
  /** Rows drawn beyond each edge. */
  readonly beyond?: number
  /** Called with the offset whenever the reader, not `moveTo`, scrolled. */
  readonly onUserScroll?: (offset: number) => void
}

export interface VirtualRows {
  /** For the element that scrolls. It may come and go: an empty list has none. */
  readonly scroller: RefCallback<HTMLDivElement>
  /** Rows to draw: first included, past excluded. */
  readonly first: number
  readonly past: number
  /** Height of the element inside the scroller, px. */
  readonly height: number
  /** Where the first drawn row begins in it, px. */
  readonly top: number
  /** Whole rows in sight, at least one. */
  readonly pageRows: number
  /** Pixels into all rows, at this moment: most steps of a scroll draw nothing, so this is no value of a draw. */
  offset(): number
  moveTo(offset: number): void
  /** Brings a row into sight, by as little as it takes, or to the middle. */
  reveal(row: number, to?: 'nearest' | 'center'): void
}

/** Four rows at a time: a scroll draws once in four rows. A scaled scroll bar moves the drawn rows by hand, at every step. */
const bandOf = (beyond: number, factor: number): Band => ({ beyond, step: factor === 1 ? 4 : 1 })

/**
 * Which rows of one height are in view, with no bound on their number: the scroll bar is scaled where elements may not be high enough.
 * The distance scrolled is kept here, not in the element, so that a wheel moves rows by its own pixels even there.
 */
export function useVirtualRows(options: VirtualRowsOptions): VirtualRows {
  const { count, rowPx, headerPx = 0, beyond = 12, onUserScroll } = options
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [place, setPlace] = useState<Place>({ offset: 0, scrollTop: 0 })
  // Apart from the place: a move that was computed before the first measuring must not bring its height of zero back.
  const [viewport, setViewport] = useState(0)
  const scale = scaleOf(count, rowPx, viewport)
  const drawn = { scroller, count, rowPx, beyond, viewport, scale, onUserScroll }
  const latest = useRef(drawn)
  /** Where the view stands; `place` follows only as far as that changes what is drawn. */
  const now = useRef(place)
  const asked = useRef(place)
  useLayoutEffect(() => {
    latest.current = drawn
  })

  const put = useCallback((next: Place) => {
    const { rowPx: row, viewport: seen, count: all, beyond: more, scale: s } = latest.current
    const band = bandOf(more, s.factor)
    const before = windowOf(asked.current.offset, row, seen, all, band)
    const after = windowOf(next.offset, row, seen, all, band)
    now.current = next
    if (s.factor === 1 && before.first === after.first && before.past === after.past) return
    asked.current = next
    setPlace(next)
  }, [])

  const moveTo = useCallback(
    (wanted: number) => {
      const { scroller: element, scale: s } = latest.current
      // An empty list has no element yet: the place is taken up when it comes.
      if (!element) return put({ offset: Math.max(0, wanted), scrollTop: 0 })
      const offset = Math.max(0, Math.min(s.end, wanted))
      const target = offset / s.factor
      if (Math.abs(element.scrollTop - target) >= 1) element.scrollTop = target
      put({ offset, scrollTop: element.scrollTop })
    },
    [put],
  )

  useLayoutEffect(() => {
    if (!scroller) return
    const measure = () => setViewport(Math.max(0, scroller.clientHeight - headerPx))
    const observer = new ResizeObserver(measure)
    observer.observe(scroller)
    measure()
    // An element that is new stands at its beginning, and no event tells of it.
    moveTo(now.current.offset)
    return () => observer.disconnect()
  }, [scroller, headerPx, moveTo])

  useEffect(() => {
    const element = scroller
    if (!element) return
    const scrolled = () => {
      const { scrollTop } = element
      // Our own scrolling comes back as an event too; only what differs is the reader's.
      if (Math.abs(scrollTop - now.current.scrollTop) < 1) return
      const { scale: s, onUserScroll: tell } = latest.current
      const offset = Math.min(s.end, scrollTop * s.factor)
      put({ offset, scrollTop })
      tell?.(offset)
    }
    const wheeled = (event: WheelEvent) => {
      const { scale: s, rowPx: row, viewport: seen, onUserScroll: tell } = latest.current
      if (s.factor === 1 || event.ctrlKey || event.deltaY === 0) return
      // One notch of a scaled scroll bar would jump over screens; move by exact pixels instead.
      event.preventDefault()
      const unit = [1, row, seen][event.deltaMode] ?? 1
      const before = now.current.offset
      moveTo(before + event.deltaY * unit)
      if (now.current.offset !== before) tell?.(now.current.offset)
    }
    element.addEventListener('scroll', scrolled, { passive: true })
    element.addEventListener('wheel', wheeled, { passive: false })
    return () => {
      element.removeEventListener('scroll', scrolled)
      element.removeEventListener('wheel', wheeled)
    }
  }, [scroller, moveTo, put])

  const offset = useCallback(() => Math.min(now.current.offset, latest.current.scale.end), [])
  const reveal = useCallback(
    (row: number, to: 'nearest' | 'center' = 'nearest') => {
      const { rowPx: height, viewport: seen } = latest.current
      const target = offsetToShow(row, height, offset(), seen)
      if (target === offset()) return
      moveTo(to === 'center' ? row * height - (seen - height) / 2 : target)
    },
    [moveTo, offset],
  )

  const shown = Math.min(place.offset, scale.end)
  const { first, past } = windowOf(shown, rowPx, viewport, count, bandOf(beyond, scale.factor))
  return {
    scroller: setScroller,
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
