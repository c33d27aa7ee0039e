import { FIELDS, useContextMenu } from './context.ts'

const isMarked = (target: EventTarget | null): boolean => {
  const selection = getSelection()
  return selection?.isCollapsed === false && target instanceof Node && selection.containsNode(target, true)
}

/** Asks the element for its menu, as a press of the right button on it does. @returns whether it has one */
export function askMenu(element: Element): boolean {
  const { left, bottom, width } = element.getBoundingClientRect()
  const clientX = left + Math.min(24, width / 2)
  const asked = { bubbles: true, cancelable: true, clientX, clientY: bottom - 2 }
  return !element.dispatchEvent(new MouseEvent('contextmenu', asked))
}

/** The menu key and Shift F10 on the focused element, or on the row that a list points at. @returns stops it */
export function followMenuKeys(): () => void {
  const stop = new AbortController()
  const pressed = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, target } = event
    const asks = key === 'ContextMenu' || (key === 'F10' && shiftKey && !ctrlKey && !metaKey && !altKey)
    if (!asks || !(target instanceof Element) || target.closest(FIELDS)) return
    const active = document.getElementById(target.getAttribute('aria-activedescendant') ?? '')
    // Prevented, the key does not ask a second time.
    if (askMenu(active ?? target)) event.preventDefault()
  }
  // Where the platform asks as the key goes up, it would open its own over this one.
  const lifted = (event: KeyboardEvent) => {
    if (event.key === 'ContextMenu' && useContextMenu.getState().opened) event.preventDefault()
  }
  const down = ({ target, button }: PointerEvent) => {
    // Before the menu is asked for: on some platforms that marks the word beneath it.
    useContextMenu.setState({ marked: button === 2 && isMarked(target) })
  }
  document.addEventListener('keydown', pressed, { capture: true, signal: stop.signal })
  document.addEventListener('keyup', lifted, { capture: true, signal: stop.signal })
  document.addEventListener('pointerdown', down, { capture: true, signal: stop.signal })
  return () => stop.abort()
}
