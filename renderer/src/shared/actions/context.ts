import { create } from 'zustand'
import type { Action } from './action.ts'

/** Groups of actions with separators between them. Consecutive actions with the same `submenu` share one submenu. */
export type ContextGroups = readonly (readonly Action[])[]

export interface OpenedMenu {
  readonly x: number
  readonly y: number
  readonly groups: ContextGroups
  /** Element that gets the focus when the menu closes. */
  readonly back: HTMLElement | null
}

interface ContextMenuStore {
  readonly opened: OpenedMenu | null
  /** Increases with every press: when the actions of two menus load late, only the latest menu opens. */
  readonly turn: number
  /** The press was on selected text. */
  readonly marked: boolean
}

export const useContextMenu = create<ContextMenuStore>()(() => ({ opened: null, turn: 0, marked: false }))

const FIELDS =
  'input:not([type="checkbox"],[type="radio"]),textarea,select,[contenteditable="true"],[role="menu"]'

type Pressed = Pick<
  MouseEvent,
  'target' | 'clientX' | 'clientY' | 'button' | 'defaultPrevented' | 'preventDefault'
>

/** Opens a context menu at the pointer. Selected text and fields keep the platform's own menu, which copies and pastes. */
export function openMenu(event: Pressed, groups: () => ContextGroups | Promise<ContextGroups>): void {
  const { target } = event
  if (event.defaultPrevented || (event.button === 2 && useContextMenu.getState().marked)) return
  if (target instanceof Element && target.closest(FIELDS)) return
  event.preventDefault()
  showMenu(event, groups())
}

/** Like `openMenu`, for an event that was already handled. */
export function showMenu(
  { clientX: x, clientY: y }: Pick<Pressed, 'clientX' | 'clientY'>,
  groups: ContextGroups | Promise<ContextGroups>,
): void {
  const back = document.activeElement instanceof HTMLElement ? document.activeElement : null
  const turn = useContextMenu.getState().turn + 1
  useContextMenu.setState({ turn })
  // The subject of the menu may disappear before its actions have loaded.
  void Promise.resolve(groups).then((found) => {
    const some = found.filter((group) => group.length > 0)
    if (some.length > 0 && useContextMenu.getState().turn === turn)
      useContextMenu.setState({ opened: { x, y, groups: some, back } })
  }, Boolean)
}

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
