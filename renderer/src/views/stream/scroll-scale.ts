export const ROW_PX = 28
/** Chromium clamps an element at 33.5 million px and Firefox near 17.9: beyond this the scrollbar stands for more than its pixels. */
const LARGEST_PX = 15_000_000

export interface Scale {
  /** Height of all rows. */
  readonly full: number
  /** Height that the document really gets. */
  readonly px: number
  /** Farthest offset of the view into `full`. */
  readonly end: number
  /** Logical pixels per real one of scrolling; 1 below the limit. */
  readonly factor: number
}

/** @param count rows; @param viewport height in which they show, px */
export function scaleOf(count: number, viewport: number): Scale {
  const full = count * ROW_PX
  const px = Math.min(full, LARGEST_PX)
  const end = Math.max(0, full - viewport)
  const factor = px < full ? end / (px - viewport) : 1
  return { full, px, end, factor }
}

/** Rows to draw at an offset: a few beyond each edge, so that a fast flick of the compositor meets rows and not paper. */
export function windowOf(offset: number, viewport: number, count: number): { first: number; last: number } {
  const beyond = 12
  const first = Math.max(0, Math.floor(offset / ROW_PX) - beyond)
  const last = Math.min(count - 1, Math.ceil((offset + viewport) / ROW_PX) + beyond)
  return { first, last }
}

/** The offset, as near to the present one as possible, at which a row is wholly in view. */
export function offsetToShow(index: number, offset: number, viewport: number): number {
  const top = index * ROW_PX
  if (top < offset) return top
  if (top + ROW_PX > offset + viewport) return top + ROW_PX - viewport
  return offset
}
