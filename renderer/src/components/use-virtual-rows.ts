import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Chromium clamps elements at 33.5 million px, Firefox at 17.9: beyond this the scroll bar stands for a larger distance. */
const TALLEST = 15_000_000

export interface VirtualRows {
  readonly scroller: RefObject<HTMLDivElement | null>
  /** Height of the element inside the scroller. */
  readonly height: number
  /** Rows to draw: first included, past excluded. */
  readonly first: number
  readonly past: number
  /** Where the first drawn row begins inside that element. */
  readonly top: number
  /** Whole rows in sight. */
  readonly pageRows: number
  /** Brings a row into sight, by as little as it takes, or to the middle. */
  reveal(row: number, to?: 'nearest' | 'center'): void
}

/**
 * Rows of one height in a scroller, any number of them. The distance scrolled is kept here, not in the element, so that a wheel moves
 * rows by its own pixels even where the scroll bar is scaled.
 * @param header height of what sticks to the top of the scroller, in front of the rows
 */
export function useVirtualRows(count: number, rowHeight: number, overscan = 12, header = 0): VirtualRows {
  const scroller = useRef<HTMLDivElement>(null)
  const [offset, setOffset] = useState(0)
  const [viewport, setViewport] = useState(0)
  const real = count * rowHeight
  const height = Math.min(real, TALLEST)
  const furthest = Math.max(0, real - viewport)
  const scale = real > height ? furthest / Math.max(1, height - viewport) : 1
  const latest = useRef({ offset, furthest, scale, viewport, rowHeight })
  latest.current = { offset: Math.min(offset, furthest), furthest, scale, viewport, rowHeight }
  /** The position that we gave the element ourselves; its echo changes nothing. */
  const given = useRef(-1)

  const moveTo = useCallback((wanted: number) => {
    const element = scroller.current
    const { furthest, scale } = latest.current
    const next = Math.max(0, Math.min(furthest, wanted))
    latest.current.offset = next
    setOffset(next)
    if (element) {
      element.scrollTop = next / scale
      given.current = element.scrollTop
    }
  }, [])

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => setViewport(Math.max(0, element.clientHeight - header))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [header])

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const onScroll = () => {
      if (Math.abs(element.scrollTop - given.current) < 1) return
      given.current = -1
      setOffset(element.scrollTop * latest.current.scale)
    }
    const onWheel = (event: WheelEvent) => {
      if (latest.current.scale === 1 || event.ctrlKey || event.deltaY === 0) return
      event.preventDefault()
      const { rowHeight, viewport } = latest.current
      const unit = event.deltaMode === 1 ? rowHeight : event.deltaMode === 2 ? viewport : 1
      moveTo(latest.current.offset + event.deltaY * unit)
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      element.removeEventListener('scroll', onScroll)
      element.removeEventListener('wheel', onWheel)
    }
  }, [moveTo])

  const reveal = useCallback(
    (row: number, to: 'nearest' | 'center' = 'nearest') => {
      const { offset, viewport, rowHeight } = latest.current
      const at = row * rowHeight
      if (at >= offset && at + rowHeight <= offset + viewport) return
      if (to === 'center') moveTo(at - (viewport - rowHeight) / 2)
      else moveTo(at < offset ? at : at + rowHeight - viewport)
    },
    [moveTo],
  )

  const shown = Math.min(offset, furthest)
  const first = Math.max(0, Math.floor(shown / rowHeight) - overscan)
  const past = Math.min(count, Math.ceil((shown + viewport) / rowHeight) + overscan)
  return {
    scroller,
    height,
    first,
    past,
    top: shown / scale - (shown - first * rowHeight),
    pageRows: Math.max(1, Math.floor(viewport / rowHeight)),
    reveal,
  }
}
