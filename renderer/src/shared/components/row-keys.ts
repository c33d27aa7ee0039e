/**
 * The row that a key goes to, kept within the rows there are.
 * @param at the row pointed at; -1: none yet
 * @param page whole rows in sight
 * @returns undefined for keys that go nowhere, and where there is nowhere to go
 */
export function rowFor(key: string, at: number, page: number, count: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  }
  const target = targets[key]
  return target === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, target))
}
