import { api } from '@/live/api.ts'
import { useAnnotating } from '@/stores/annotating.ts'
import { useCompare } from '@/stores/compare.ts'
import { copy, replayOpen } from '@/views/stream/choosing.ts'

/** What can be done with the only delivery of a window. */
export interface Deed {
  /** Id of the action of the list that does the same (shell/actions.ts). */
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

/** The keys are those of the list, so that nothing has to be learnt twice. */
export const DEEDS: readonly Deed[] = [
  // It is gone, or the host is: the pane says so.
  { action: 'pin', key: 'p', act: (id) => void togglePin(id).catch(() => undefined) },
  { action: 'tags', key: 'l', act: annotate('tags') },
  { action: 'note', key: 'm', act: annotate('note') },
  {
    action: 'compare',
    key: 'c',
    act: (id) => useCompare.getState().open({ left: 'previous', right: id }),
  },
  { action: 'replay', key: 'r', act: () => replayOpen('now') },
  { action: 'replaySheet', key: 'R', act: () => replayOpen('sheet') },
  { action: 'copyText', act: (id) => copy('text', id) },
  { action: 'copyJson', key: 'y', act: (id) => copy('json', id) },
  { action: 'copyNdjson', act: (id) => copy('ndjson', id) },
  { action: 'copyCurl', key: 'Y', act: (id) => copy('curl', id) },
  { action: 'copyCurlSecrets', act: (id) => copy('curl-secrets', id) },
]
