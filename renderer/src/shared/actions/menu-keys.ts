import { FIELDS, useContextMenu } from './context.ts'

const isMarked = (target: EventTarget | null): boolean => {
  const selection = getSelection()
  return selection?.isCollapsed === false && target instanceof Node && selection.containsNode(target, true)
}

/** Opens the element's context menu, as a right click on it does. @returns whether it has one */
export function askMenu(element: Element): boolean {
  const { left, bottom, width } = element.getBoundingClientRect()
  const clientX = left + Math.min(24, width / 2)
  const asked = { bubbles: true, cancelable: true, clientX, clientY: bottom - 2 }
  return !element.dispatchEvent(new MouseEvent('contextmenu', asked))
}

/** Handles the menu key and Shift F10 for the focused element or the active row of a list. @returns a function that stops it */
export function followMenuKeys(): () => void {
  const stop = new AbortController()
  const pressed = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, target } = event
    const asks = key === 'ContextMenu' || (key === 'F10' && shiftKey && !ctrlKey && !metaKey && !altKey)
    if (!asks || !(target instanceof Element) || target.closest(FIELDS)) return
    const active = document.getElementById(target.getAttribute('aria-activedescendant') ?? '')
    // Without preventDefault the platform would fire a second contextmenu event.
    if (askMenu(active ?? target)) event.preventDefault()
  }
  // On platforms that fire contextmenu on keyup, the platform's menu would open over ours.
  const lifted = (event: KeyboardEvent) => {
    if (event.key === 'ContextMenu' && useContextMenu.getState().opened) event.preventDefault()
  }
  const down = ({ target, button }: PointerEvent) => {
    // Read on pointerdown: on some platforms the right click itself selects the word under the pointer.
    useContextMenu.setState({ marked: button === 2 && isMarked(target) })
  }
  document.addEventListener('keydown', pressed, { capture: true, signal: stop.signal })
  document.addEventListener('keyup', lifted, { capture: true, signal: stop.signal })
  document.addEventListener('pointerdown', down, { capture: true, signal: stop.signal })
  return () => stop.abort()
}
