import { useLayoutEffect } from 'react'
import { STREAM } from '@/features/stream/actions.ts'
import { type Action, isKeyOf, isListKey, MOD, pressedKey } from '@/shared/actions/action.ts'
import { listWithSteps } from '@/shared/components/list-steps.ts'
import { inList, isPressable, onHeading, takesKeys } from '@/shared/live/focus.ts'
import { useOver } from '@/shared/live/layers.ts'
import { useRoute } from '@/shared/live/route.ts'
import { actionsHere, isAsking } from './actions.ts'
import { isOnItsScreen, perform } from './perform.ts'

/** After `g`, so long the next key names a screen. */
const CHORD_MS = 1_200

/** Screens that are about one list which takes its keys only while it has the focus. Stream's takes them from anywhere. */
const LISTS: ReadonlySet<string> = new Set(['documents', 'reconcile', 'replays', 'sandbox', 'drift'])
/** Where arrows have a meaning of their own. */
const COMPOSITES =
  '[role="tablist"],[role="radiogroup"],[role="toolbar"],[role="menu"],[role="grid"],[role="listbox"],[role="tree"],[role="treegrid"],nav'

/** Nothing has the focus, or a plain button, to which arrows and letters mean nothing. */
function isIdle(target: EventTarget | null): boolean {
  if (target === document.body) return true
  return (
    target instanceof HTMLElement &&
    target.matches('button:not([aria-haspopup],[role])') &&
    target.closest(COMPOSITES) === null
  )
}

/**
 * Takes a step in the screen's list and gives it the keyboard, where nothing that has the focus wants the key.
 * @returns whether there is such a list
 */
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

export function isLeftTo(action: Action, key: string, target: EventTarget | null): boolean {
  if (action.holds) return action.holds(target)
  if (takesKeys(target)) return false
  if (isListKey(action, key)) return inList(target) && (key.startsWith(MOD) || !onHeading(target))
  // Enter and Space press what has the focus.
  return !/(?:Enter|space)$/.test(key) || !isPressable(target)
}

const actionOf = (key: string, those: (action: Action) => boolean): Action | undefined =>
  actionsHere().find((action) => those(action) && isKeyOf(action, key) && isOnItsScreen(action))

export function useActionKeys(): void {
  // Keys hold as soon as there is something to see.
  useLayoutEffect(() => {
    let chord = 0
    const take = (event: KeyboardEvent, key: string, action: Action | undefined): boolean => {
      if (!action || !isLeftTo(action, key, event.target) || !perform(action, key)) return false
      event.preventDefault()
      return true
    }
    // Before the screens' own keys: after g, another letter is no command of theirs.
    const anywhere = (event: KeyboardEvent) => {
      const key = pressedKey(event)
      const everywhere = ({ on, holds }: Action) => !on && holds !== undefined
      if (key !== null && take(event, key, actionOf(key, everywhere))) return
      if (useOver.getState().shown !== null && !isAsking()) {
        // Its code is on the way: what is typed for it must not pin or send something in the list. It takes the keys when it is there.
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
      take(
        event,
        key,
        actionOf(key, ({ on }) => on !== undefined),
      )
    }
    const stop = new AbortController()
    document.addEventListener('keydown', anywhere, { capture: true, signal: stop.signal })
    document.addEventListener('keydown', onScreen, { signal: stop.signal })
    return () => stop.abort()
  }, [])
}
