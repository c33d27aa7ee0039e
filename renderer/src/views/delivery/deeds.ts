import { api } from '@/live/api.ts'
import { useAnnotating } from '@/stores/annotating.ts'
import { useCompare } from '@/stores/compare.ts'
import { useCursor } from '@/stores/cursor.ts'
import { beginReplay, copy, replaySource } from '@/views/stream/choosing.ts'

/** What can be done with one delivery, whatever else is chosen in the list. */
export interface Deed {
  /** Id of the action of the list that does the same (shell/stream-actions.ts). */
  readonly action: string
  /** As the event of the keyboard names it; left out where the palette alone does it. */
  readonly key?: string
  readonly act: (id: number) => void
}

async function togglePin(id: number): Promise<void> {
  const { marks } = await api.call('deliveries.get', { id })
  await api.call('deliveries.pin', { ids: [id], pinned: !marks.includes('pinned') })
}

const annotate = (what: 'note' | 'tags') => (id: number) =>
  useAnnotating.getState().ask(what, { ids: [id], everything: null })

/** Sends it again, or asks how. */
export function replayOne(id: number, how: 'now' | 'sheet'): void {
  const { cursor } = useCursor.getState()
  const source = { ...replaySource(), delivery: id, ids: [], everything: false }
  // The document of the list's row is this one's only where the list points at it.
  beginReplay(cursor?.id === id ? source : { ...source, documentId: null }, how)
}

/** Compares it with the delivery before it of its document. */
export const compareBefore = (id: number): void => useCompare.getState().open({ left: 'previous', right: id })

export function removeOne(id: number): void {
  void import('@/views/trash/delete-deliveries.ts').then(({ deleteIds }) => deleteIds([id]))
}

/** What a window of one delivery can do. The keys are those of the list, so that nothing has to be learnt twice. */
export const DEEDS: readonly Deed[] = [
  // It is gone, or the host is: the pane says so.
  { action: 'pin', key: 'p', act: (id) => void togglePin(id).catch(() => undefined) },
  { action: 'tags', key: 'l', act: annotate('tags') },
  { action: 'note', key: 'm', act: annotate('note') },
  { action: 'compare', key: 'c', act: compareBefore },
  { action: 'replay', key: 'r', act: (id) => replayOne(id, 'now') },
  { action: 'replaySheet', key: 'R', act: (id) => replayOne(id, 'sheet') },
  { action: 'copyText', act: (id) => copy('text', id) },
  { action: 'copyJson', key: 'y', act: (id) => copy('json', id) },
  { action: 'copyNdjson', act: (id) => copy('ndjson', id) },
  { action: 'copyCurl', key: 'Y', act: (id) => copy('curl', id) },
  { action: 'copyCurlSecrets', act: (id) => copy('curl-secrets', id) },
]
