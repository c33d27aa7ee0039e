import { useLayoutEffect } from 'react'
import { STREAM } from '@/features/stream/actions.ts'
import { type Action, isKeyOf, isListKey, MOD, pressedKey } from '@/shared/actions/action.ts'
import { listWithSteps } from '@/shared/components/list-steps.ts'
import { inList, isPressable, onHeading, takesKeys } from '@/shared/live/focus.ts'
import { isDialogAsked, useAnnotating, useOver } from '@/shared/live/layers.ts'
import { useRoute } from '@/shared/live/route.ts'
import { actionsHere, HELP, isAsking } from './actions.ts'
import { isOnItsScreen, perform } from './perform.ts'

/** How long after `g` the next key selects a screen. */
const CHORD_MS = 1_200

/** Screens whose list handles keys only while it has the focus. The Stream's list handles them always. */
const LISTS: ReadonlySet<string> = new Set(['documents', 'reconcile', 'replays', 'sandbox', 'drift'])
const NOTE_FIELDS = '[role="dialog"] :is(textarea,input)'
/** Widgets that handle arrow keys themselves. */
const COMPOSITES =
  '[role="tablist"],[role="radiogroup"],[role="toolbar"],[role="menu"],[role="grid"],[role="listbox"],[role="tree"],[role="treegrid"],nav'

/** Whether no element has the focus, or a plain button, which ignores arrows and letters. */
function isIdle(target: EventTarget | null): boolean {
  if (target === document.body) return true
  return (
    target instanceof HTMLElement &&
    target.matches('button:not([aria-haspopup],[role])') &&
    target.closest(COMPOSITES) === null
  )
}

/** Moves in the screen's list and focuses it, unless the focused element handles the key. @returns whether there is such a list */
function stepIntoList(key: 'ArrowDown' | 'ArrowUp', target: EventTarget | null): boolean {
  if (!isIdle(target) || !LISTS.has(useRoute.getState().screen)) return false
  const found = listWithSteps()
  if (!found) return false
  const { list, step } = found
  const taker = list.tabIndex >= 0 ? list : list.querySelector<HTMLElement>('[tabindex="0"]')
  taker?.focus({ preventScroll: true })
  step(key)
  return true
}

/** Whether a dialog still loads that takes the key. The dialog of a note shows before its field. */
const isLoading = (key: string): boolean =>
  isAsking()
    ? key.length === 1 && useAnnotating.getState().asked !== null && !document.querySelector(NOTE_FIELDS)
    : isDialogAsked()

export function isLeftTo(action: Action, key: string, target: EventTarget | null): boolean {
  if (action.holds) return action.holds(target)
  if (takesKeys(target)) return false
  if (isListKey(action, key)) return inList(target) && (key.startsWith(MOD) || !onHeading(target))
  // Enter and Space activate the focused element.
  return !/(?:Enter|space)$/.test(key) || !isPressable(target)
}

const actionOf = (key: string, those: (action: Action) => boolean): Action | undefined =>
  actionsHere().find((action) => those(action) && isKeyOf(action, key) && isOnItsScreen(action))

export function useActionKeys(): void {
  // A layout effect, so that keys work from the first paint.
  useLayoutEffect(() => {
    let chord = 0
    const take = (event: KeyboardEvent, key: string, action: Action | undefined): boolean => {
      if (!action || !isLeftTo(action, key, event.target) || !perform(action, key)) return false
      event.preventDefault()
      return true
    }
    // Runs before the screens' own key handlers: after `g`, the next letter is not one of their commands.
    const anywhere = (event: KeyboardEvent) => {
      const key = pressedKey(event)
      const everywhere = ({ on, holds }: Action) => !on && holds !== undefined
      if (key !== null && take(event, key, actionOf(key, everywhere))) return
      if (isLoading(event.key)) {
        // Keys typed while a dialog loads are stored for it and must not trigger actions of the list.
        if (!event.ctrlKey && !event.metaKey && !event.altKey)
          useOver.setState(({ early }) => ({ early: [...early, event.key] }))
        event.stopPropagation()
        return event.preventDefault()
      }
      if (event.defaultPrevented || key === null || takesKeys(event.target)) return
      const begun = Date.now() - chord < CHORD_MS
      chord = key === 'g' ? Date.now() : 0
      const named = begun ? actionOf(`g ${key}`, () => true) : undefined
      if (take(event, key, named ?? actionOf(key, ({ on }) => !on))) return
      const step = isKeyOf(STREAM.next, key) ? 'ArrowDown' : isKeyOf(STREAM.previous, key) ? 'ArrowUp' : null
      if (step && stepIntoList(step, event.target)) event.preventDefault()
    }
    const onScreen = (event: KeyboardEvent) => {
      const key = pressedKey(event)
      if (event.defaultPrevented || key === null) return
      const here = actionOf(key, ({ on }) => on !== undefined)
      if (take(event, key, here)) return
      // Otherwise the browser undoes typing in a text field that has lost the focus.
      if (isKeyOf(HELP.undo, key) && isLeftTo(HELP.undo, key, event.target)) event.preventDefault()
    }
    const stop = new AbortController()
    document.addEventListener('keydown', anywhere, { capture: true, signal: stop.signal })
    document.addEventListener('keydown', onScreen, { signal: stop.signal })
    return () => stop.abort()
  }, [])
}
