/** Something that can be paged through by instant. */
interface Dated {
  readonly issuedAt: number
}

/**
 * The last items of a range that can only be read from its beginning: the beginning is moved by halves until what follows fits.
 * @param read items from an instant on, one more than `limit` when more remain; ascending
 * @param from first instant of the range, and `to` its last one
 * @returns at most `limit` items, ascending, and whether earlier ones remain
 */
export function latest<T extends Dated>(
  read: (from: number, limit: number) => readonly T[],
  from: number,
  to: number,
  limit: number,
): { readonly items: readonly T[]; readonly more: boolean } {
  const all = read(from, limit)
  if (all.length <= limit) return { items: all, more: false }
  // Invariant: from `low` on there are too many, from `high` on there are not.
  let low = from
  let high = to + 1
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2)
    if (read(middle, limit).length > limit) low = middle
    else high = middle
  }
  const fitting = read(high, limit)
  // More than a page of one instant: some of them, rather than an empty page that says there is more.
  return { items: fitting.length > 0 ? fitting : read(low, limit).slice(0, limit), more: true }
}
