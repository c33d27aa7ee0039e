import { type RefCallback, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { offsetToShow, scaleOf, windowOf } from './scroll-scale.ts'

export const HEADER_PX = 26

interface Place {
  /** Pixels into all rows. */
  readonly offset: number
  /** Where the scrollbar really stands. */
  readonly scrollTop: number
}

export interface VirtualRows {
  /** For the element that scrolls. It may come and go: an empty list has none. */
  readonly scroller: RefCallback<HTMLDivElement>
  readonly first: number
  readonly last: number
  readonly offset: number
  readonly viewport: number
  /** Height of the scrolled element, px. */
  readonly height: number
  /** Where the drawn rows begin in it, px. */
  readonly top: number
  moveTo(offset: number): void
  /** Scrolls as little as needed to have a row in view. */
  reveal(index: number): void
}

/**
 * Which rows of one height are in view, with no bound on their number: the scrollbar is scaled where elements may not be high enough.
 * TanStack Virtual keeps an object per row and does not scale; at a million rows that is most of a window's memory.
 * @param onUserScroll called with the offset whenever the reader, not `moveTo`, scrolled
 */
export function useVirtualRows(count: number, onUserScroll: (offset: number) => void): VirtualRows {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [place, setPlace] = useState<Place>({ offset: 0, scrollTop: 0 })
  // Apart from the place: a move that was computed before the first measuring must not bring its height of zero back.
  const [viewport, setViewport] = useState(0)
  const { offset } = place
  const scale = scaleOf(count, viewport)
  const latest = useRef({ scroller, place, viewport, scale, onUserScroll })
  useLayoutEffect(() => {
    latest.current = { scroller, place, viewport, scale, onUserScroll }
  })

  const moveTo = useCallback((wanted: number) => {
    const { scroller: element, scale: s } = latest.current
    if (!element) return
    const next = Math.max(0, Math.min(s.end, wanted))
    const target = next / s.factor
    if (Math.abs(element.scrollTop - target) >= 1) element.scrollTop = target
    const moved = { offset: next, scrollTop: element.scrollTop }
    latest.current = { ...latest.current, place: moved }
    setPlace((was) => (was.offset === moved.offset && was.scrollTop === moved.scrollTop ? was : moved))
  }, [])

  useLayoutEffect(() => {
    if (!scroller) return
    const measure = () => setViewport(Math.max(0, scroller.clientHeight - HEADER_PX))
    const observer = new ResizeObserver(measure)
    observer.observe(scroller)
    measure()
    return () => observer.disconnect()
  }, [scroller])

  useEffect(() => {
    const element = scroller
    if (!element) return
    const scrolled = () => {
      const { place: p, scale: s } = latest.current
      // Our own scrolling comes back as an event too; only what differs is the reader's.
      if (Math.abs(element.scrollTop - p.scrollTop) < 1) return
      const next = Math.min(s.end, element.scrollTop * s.factor)
      const moved = { offset: next, scrollTop: element.scrollTop }
      latest.current = { ...latest.current, place: moved }
      setPlace(moved)
      latest.current.onUserScroll(next)
    }
    const wheeled = (event: WheelEvent) => {
      const { place: p, scale: s } = latest.current
      if (s.factor === 1 || event.ctrlKey || event.deltaY === 0) return
      // One notch of a scaled scrollbar would jump over screens; move by exact pixels instead.
      event.preventDefault()
      const before = p.offset
      moveTo(before + event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 28 : 1))
      if (latest.current.place.offset !== before) latest.current.onUserScroll(latest.current.place.offset)
    }
    element.addEventListener('scroll', scrolled, { passive: true })
    element.addEventListener('wheel', wheeled, { passive: false })
    return () => {
      element.removeEventListener('scroll', scrolled)
      element.removeEventListener('wheel', wheeled)
    }
  }, [scroller, moveTo])

  const reveal = useCallback(
    (index: number) => {
      const { place: p, viewport: seen } = latest.current
      moveTo(offsetToShow(index, p.offset, seen))
    },
    [moveTo],
  )

  const shown = Math.min(offset, scale.end)
  const { first, last } = windowOf(shown, viewport, count)
  return {
    scroller: setScroller,
    first,
    last,
    offset: shown,
    viewport,
    height: scale.px,
    top: scale.factor === 1 ? first * 28 : place.scrollTop - (shown - first * 28),
    moveTo,
    reveal,
  }
}
