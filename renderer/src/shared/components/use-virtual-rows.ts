import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** Chromium clamps an element at 33.5 million px and Firefox near 17.9: beyond this the scroll bar stands for more than its pixels. */
const LARGEST_PX = 15_000_000

export interface Scale {
  readonly full: number
  /** Height that the document really gets. */
  readonly px: number
  /** Farthest offset of the view into `full`. */
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
  /** Rows drawn beyond each edge, so that a fast flick of the compositor meets rows and not paper. */
  readonly beyond: number
  /** Bounds are multiples of this, so that most steps of a scroll draw nothing anew. */
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

/** The offset, as near to the present one as possible, at which a row is wholly in view. */
export function offsetToShow(index: number, rowPx: number, offset: number, viewport: number): number {
  const top = index * rowPx
  if (top < offset) return top
  if (top + rowPx > offset + viewport) return top + rowPx - viewport
  return offset
}

interface Place {
  /** Pixels into all rows. */
  readonly offset: number
  /** Where the scroll bar really stands. */
  readonly scrollTop: number
}

export interface VirtualRowsOptions {
  readonly count: number
  readonly rowPx: number
  /** Height of what sticks to the top of the scroller, in front of the rows. */
  readonly headerPx?: number
  readonly beyond?: number
  /** Called with the offset whenever the reader, not `moveTo`, scrolled. */
  readonly onUserScroll?: (offset: number) => void
}

export interface VirtualRows {
  /** The `ref` of the element that scrolls, which may come and go: an empty list has none. @returns lets go of it */
  readonly scroller: (element: HTMLDivElement) => () => void
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

/** What a list has of the window's height, about, until it is laid out: a good guess saves drawing it twice before it is seen. */
const GUESS = 0.8

/** Four rows at a time: a scroll draws once in four rows. A scaled scroll bar moves the drawn rows by hand, at every step. */
const bandOf = (beyond: number, factor: number): Band => ({ beyond, step: factor === 1 ? 4 : 1 })

/** Which rows of one height are in view. The distance is kept here, not in the element, so that a wheel moves rows by its own pixels. */
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
  /** Where the view stands; `place` follows only as far as that changes what is drawn. */
  const now = useRef(place)
  const asked = useRef(place)
  useLayoutEffect(() => {
    latest.current = drawn
  })

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
      // An empty list has no element yet: the place is taken up when it comes.
      if (!element) return put({ offset: Math.max(0, wanted), scrollTop: 0 })
      const offset = Math.max(0, Math.min(s.end, wanted))
      // The beginning is where it stands already; to ask it would lay the page out.
      if (offset === 0 && now.current.offset === 0 && now.current.scrollTop === 0) return
      const target = offset / s.factor
      if (Math.abs(element.scrollTop - target) >= 1) element.scrollTop = target
      put({ offset, scrollTop: element.scrollTop })
    },
    [put],
  )

  const scroller = useCallback(
    (element: HTMLDivElement) => {
      attached.current = element
      const measure = () => {
        const height = Math.max(0, element.clientHeight - headerPx)
        // Room for more rows is filled before anybody sees it empty.
        if (height > latest.current.viewport) flushSync(() => setMeasured(height))
        else setMeasured(height)
      }
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
      const observer = new ResizeObserver(measure)
      observer.observe(element)
      element.addEventListener('scroll', scrolled, { passive: true })
      element.addEventListener('wheel', wheeled, { passive: false })
      // An element that is new stands at its beginning, and no event tells of it. It is put in its place as soon as all of it is there.
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
