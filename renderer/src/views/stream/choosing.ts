import { loadTexts } from '@/i18n/late-texts.ts'
import { api } from '@/live/api.ts'
import { list } from '@/live/list.ts'
import { useAnnotating } from '@/stores/annotating.ts'
import { useChosen } from '@/stores/chosen.ts'
import { useCompare } from '@/stores/compare.ts'
import type { CopyAs } from '@/stores/copying.ts'
import { useCursor } from '@/stores/cursor.ts'
import { useFollow } from '@/stores/follow.ts'
import { type SheetSource, useReplaySheet } from '@/stores/replay-sheet.ts'
import { idsBetween } from './ids-between.ts'

let asked = 0

/** Chooses everything between the anchor and a position; without an anchor, from the row pointed at. */
export async function chooseTo(position: number, from: number | null): Promise<void> {
  const anchor = useChosen.getState().anchor ?? from ?? position
  const mine = ++asked
  const { epoch } = list.state()
  const ids = await idsBetween(
    anchor,
    position,
    (at) => list.row(at)?.id,
    (params) => api.call('deliveries.page', { ...list.asked(), ...params }),
  ).catch(() => null)
  // A held key asks faster than pages come: only the last range counts.
  if (ids && mine === asked && list.state().epoch === epoch) {
    // From the top of the list down, whichever way the range was drawn: so it is copied.
    useChosen.getState().set(anchor < position ? ids.toReversed() : ids, anchor)
  }
}

/** Takes a row in, or out, of what is chosen. */
export function chooseOne(id: number, position: number): void {
  const { cursor, point } = useCursor.getState()
  useFollow.getState().stop(list.state().total)
  useChosen.getState().toggle(id, position, cursor?.id ?? null)
  point({ id, position })
}

/** What a replay would be of, as the list stands. */
export function replaySource(): SheetSource {
  const { cursor } = useCursor.getState()
  const { all, ids } = useChosen.getState()
  const row = cursor && list.row(cursor.position)
  const { filter, total } = list.state()
  return {
    delivery: row?.id ?? null,
    documentId: row?.documentId ?? null,
    ids: ids.size > 1 ? [...ids].sort((a, b) => a - b) : [],
    everything: all,
    filter: { text: filter, total },
  }
}

/** Sends what is chosen, or asks how. */
export function replay(how: 'now' | 'sheet'): void {
  beginReplay(replaySource(), how)
}

/** What sends comes with code of its own, and its answer in a notice. */
export function beginReplay(source: SheetSource, how: 'now' | 'sheet'): void {
  if (how === 'sheet') useReplaySheet.getState().open(source)
  else void import('@/views/replay-sheet/quick.ts').then(({ replayNow }) => replayNow(source))
}

/** Asks for tags, or a note, of what is chosen; else of the row pointed at. */
export function annotate(what: 'note' | 'tags'): void {
  const { delivery, ids, everything, filter } = replaySource()
  const { ask } = useAnnotating.getState()
  if (everything && filter) ask(what, { ids: [], everything: { filter: filter.text, total: filter.total } })
  else if (ids.length > 0) ask(what, { ids, everything: null })
  else if (delivery !== null) ask(what, { ids: [delivery], everything: null })
}

const deleting = () => import('@/views/trash/delete-deliveries.ts')

/** Deletes what is chosen; else the row pointed at. */
export function remove(): void {
  const { delivery, ids, everything } = replaySource()
  if (everything) removeShown()
  else if (ids.length > 0) void deleting().then(({ deleteIds }) => deleteIds(ids))
  else if (delivery !== null) void deleting().then(({ deleteIds }) => deleteIds([delivery]))
}

/** Asks whether all that the filter shows is to go. */
export function removeShown(): void {
  const { filter } = list.state()
  void deleting().then(({ deleteShown }) => deleteShown(filter))
}

/**
 * Puts what is chosen, or the row pointed at, on the clipboard; its words and code come when they are first needed.
 * @param only one delivery, whatever the list points at
 */
export function copy(as: CopyAs, only?: number): void {
  void Promise.all([import('./copying/copy.ts'), loadTexts('order')]).then(([{ copyChosen }]) =>
    copyChosen(as, only),
  )
}

/** Compares two chosen deliveries, the earlier one at the left; else the one pointed at with the one before it of its document. */
export function compare(): void {
  const { all, ids } = useChosen.getState()
  const [left, right] = [...ids].sort((a, b) => a - b)
  const { open } = useCompare.getState()
  const { cursor } = useCursor.getState()
  const row = cursor && list.row(cursor.position)
  if (!all && ids.size === 2 && left !== undefined && right !== undefined) open({ left, right })
  else if (row) open({ left: 'previous', right: row.id })
}
