import { useRoute } from '@/stores/route.ts'

const STEPS: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'j', 'k'])
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

/** An arrow, `j` or `k` that nobody would take goes to the screen's list, and gives it the keyboard. @returns whether there is one */
export function stepIntoList(event: KeyboardEvent): boolean {
  if (!STEPS.has(event.key) || event.shiftKey || !isIdle(event.target)) return false
  if (!LISTS.has(useRoute.getState().screen)) return false
  const list = document.querySelector<HTMLElement>(
    'main [role="grid"], main [role="listbox"][data-in-screen]',
  )
  const taker = list && (list.tabIndex >= 0 ? list : list.querySelector<HTMLElement>('[tabindex="0"]'))
  if (!taker) return false
  taker.focus({ preventScroll: true })
  taker.dispatchEvent(new KeyboardEvent('keydown', { key: event.key, bubbles: true, cancelable: true }))
  return true
}
