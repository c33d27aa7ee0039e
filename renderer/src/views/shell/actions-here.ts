import { aloneId, useRoute } from '@/stores/route.ts'
import { DEEDS } from '@/views/delivery/deeds.ts'
import type { Action } from './action.ts'
import { ACTIONS } from './actions.ts'

/** A window of one delivery has no list, no way to other screens and no status bar: these hold there as they are. */
const ANYWHERE = new Set<Action['group']>(['look', 'help'])

/** The actions of a window of one delivery, in the order of all. */
export function aloneActions(id: number): readonly Action[] {
  return ACTIONS.flatMap((action) => {
    if (ANYWHERE.has(action.group)) return action
    const deed = DEEDS.find((one) => one.action === action.id)
    // Nothing has to be pointed at first.
    const { hindered: _, ...always } = action
    if (deed)
      return {
        ...always,
        label: action.id === 'compare' ? (say) => say('stream:compareBefore') : action.label,
        keys: deed.key ? (action.keys ?? []) : [],
        run: () => deed.act(id),
      }
    // The Raw tab has the key.
    return action.id === 'goToPlace' ? action : []
  })
}

/** The actions of this window as it stands. */
export function actionsHere(): readonly Action[] {
  const id = aloneId(useRoute.getState())
  return id === null ? ACTIONS : aloneActions(id)
}
