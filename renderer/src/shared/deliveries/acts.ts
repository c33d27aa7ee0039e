import { loadTexts } from '@/shared/i18n/texts.ts'
import { api } from '@/shared/live/api.ts'
import {
  type CopyAs,
  type SheetSource,
  useAnnotating,
  useCompare,
  useReplaySheet,
} from '@/shared/live/layers.ts'
import { useChosen, useCursor } from '@/shared/live/pointing.ts'
import { aloneId, useRoute } from '@/shared/live/route.ts'
import { list } from './list.ts'

const alone = (): number | undefined => aloneId(useRoute.getState()) ?? undefined

/** The subject of an action: `only`, or the delivery of a single-delivery window; else the selection and the cursor row. */
export function subject(only = alone()): SheetSource {
  const { cursor } = useCursor.getState()
  const row = cursor ? list.row(cursor.position) : undefined
  const { filter: text, total } = list.state()
  const filter = { text, total }
  if (only !== undefined) {
    // The cursor row's document applies only if the cursor is on this delivery.
    const documentId = row?.id === only ? row.documentId : null
    return { delivery: only, documentId, ids: [], everything: false, filter }
  }
  const { all, ids } = useChosen.getState()
  return {
    delivery: row?.id ?? null,
    documentId: row?.documentId ?? null,
    ids: ids.size > 1 ? [...ids].sort((a, b) => a - b) : [],
    everything: all,
    filter,
  }
}

/** Pins or unpins the delivery. The list learns of the change by a push. */
export function togglePin(): void {
  const id = subject().delivery
  const pin = async (id: number) => {
    const { marks } = await api.call('deliveries.get', { id })
    await api.call('deliveries.pin', { ids: [id], pinned: !marks.includes('pinned') })
  }
  // The delivery or the host is gone, which the window already shows.
  if (id !== null) void pin(id).catch(() => undefined)
}

/** Sends the subject, or opens the sheet. The code that sends loads on demand; a notice shows the answer. */
export function replay(how: 'now' | 'sheet', only?: number): void {
  const source = subject(only)
  if (how === 'sheet') useReplaySheet.getState().open(source)
  else void import('./quick.ts').then(({ replayNow }) => replayNow(source))
}

export function annotate(what: 'note' | 'tags'): void {
  const { delivery, ids, everything, filter } = subject()
  const { ask } = useAnnotating.getState()
  if (everything && filter) ask(what, { ids: [], everything: { filter: filter.text, total: filter.total } })
  else if (ids.length > 0) ask(what, { ids, everything: null })
  else if (delivery !== null) ask(what, { ids: [delivery], everything: null })
}

const deleting = () => import('./delete-deliveries.ts')

export function remove(only?: number): void {
  const { delivery, ids, everything } = subject(only)
  if (everything) removeShown()
  else if (ids.length > 0) void deleting().then(({ deleteIds }) => deleteIds(ids))
  else if (delivery !== null) void deleting().then(({ deleteIds }) => deleteIds([delivery]))
}

export function removeShown(): void {
  const { filter } = list.state()
  void deleting().then(({ deleteShown }) => deleteShown(filter))
}

/** Copies the subject to the clipboard; texts and code load on first use. */
export function copy(as: CopyAs, only = alone()): void {
  void Promise.all([import('./copy.ts'), loadTexts('order')]).then(([{ copyChosen }]) => copyChosen(as, only))
}

/** Compares two selected deliveries, the earlier at the left; else a delivery with the previous one of its document. */
export function compare(only = alone()): void {
  const { all, ids } = useChosen.getState()
  const [left, right] = [...ids].sort((a, b) => a - b)
  const { open } = useCompare.getState()
  const { delivery } = subject(only)
  if (only === undefined && !all && ids.size === 2 && left !== undefined && right !== undefined)
    open({ left, right })
  else if (delivery !== null) open({ left: 'previous', right: delivery })
}
