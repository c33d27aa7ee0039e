/** Chromium clamps an element at 33.5 million px and Firefox near 17.9: beyond this the scroll bar stands for more than its pixels. */
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
