/** What became of a batch: one outcome for all of it where that is so, else one per delivery. */
export type Outcome =
  | { readonly type: 'stored'; readonly firstId: number }
  | { readonly type: 'mixed'; readonly ids: readonly (number | null)[]; readonly problems: readonly string[] }
  | { readonly type: 'spilled' }
  | { readonly type: 'refused'; readonly reason: string }

/** What a group commit means for each of its batches, in order. */
export function outcomesOf(
  split: readonly Buffer[][],
  ids: readonly (number | null)[],
  problems: ReadonlyMap<number, string>,
): Outcome[] {
  let at = 0
  return split.map((records) => {
    const from = at
    at += records.length
    const firstId = ids[from]
    if (problems.size === 0 && typeof firstId === 'number') return { type: 'stored', firstId }
    const own = records.map((_, i) => problems.get(from + i) ?? '')
    return { type: 'mixed', ids: ids.slice(from, at), problems: own }
  })
}
