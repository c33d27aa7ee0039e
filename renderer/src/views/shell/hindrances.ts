import type { Settings } from '#contract/settings.ts'
import { list } from '@/live/list.ts'
import { useChosen } from '@/stores/chosen.ts'
import { useCursor } from '@/stores/cursor.ts'
import { useFilter } from '@/stores/filter.ts'
import { useSelection } from '@/stores/selection.ts'
import { useSettings } from '@/stores/settings.ts'
import { useStatus } from '@/stores/status.ts'
import { latestUndoable } from '@/stores/undo.ts'

/** Why an action cannot be done now; its words are in the `actions` texts. */
export type Hindrance =
  | 'noRow'
  | 'noneOpen'
  | 'noDeliveries'
  | 'noFilter'
  | 'listening'
  | 'notListening'
  | 'noConnection'
  | 'alreadySo'
  | 'noRemoval'
  | 'lost'
export type Hindered = () => Hindrance | null

const lost = (): boolean => useStatus.getState().connection === 'lost'
const listening = (): boolean => useStatus.getState().status?.receiver.state === 'listening'

export const needsRow: Hindered = () => {
  const { cursor } = useCursor.getState()
  return cursor && list.row(cursor.position) ? null : 'noRow'
}
/** To send or to compare: several that are chosen will do as well. */
export const needsRowOrChosen: Hindered = () => {
  const { all, ids } = useChosen.getState()
  return all || ids.size > 1 ? null : needsRow()
}
export const needsPair: Hindered = () => {
  const { all, ids } = useChosen.getState()
  return !all && ids.size === 2 ? null : needsRow()
}
export const needsOpen: Hindered = () => (useSelection.getState().id === null ? 'noneOpen' : null)
export const needsRemoval: Hindered = () => (latestUndoable() ? null : 'noRemoval')
export const needsList: Hindered = () => (list.state().total === 0 ? 'noDeliveries' : null)
export const needsFilter: Hindered = () => (useFilter.getState().text === '' ? 'noFilter' : null)
export const needsStopped: Hindered = () => (lost() ? 'lost' : listening() ? 'listening' : null)
export const needsListening: Hindered = () => (lost() ? 'lost' : listening() ? null : 'notListening')
export const needsConnection: Hindered = () =>
  (useSettings.getState().settings?.connections.length ?? 0) > 0 ? null : 'noConnection'
export const needsOther =
  <K extends keyof Settings['appearance']>(what: K, value: Settings['appearance'][K]): Hindered =>
  () =>
    lost() ? 'lost' : useSettings.getState().settings?.appearance[what] === value ? 'alreadySo' : null
