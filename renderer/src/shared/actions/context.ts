import { create } from 'zustand'
import { api } from '@/shared/live/api.ts'
import type { Action, Words } from './action.ts'

/** Actions in groups, parted by lines. Those that follow each other with the same `submenu` stand in one. */
export type ContextGroups = readonly (readonly Action[])[]

/** An action of one menu, made for what the menu was opened on. */
export const onThis = (id: string, title: Words, run: () => void, more: Partial<Action> = {}): Action => ({
  id,
  group: 'list',
  title,
  run,
  ...more,
})

export const copyAction = (id: string, title: Words, text: string | (() => Promise<string>)): Action =>
  onThis(id, title, () => {
    // The clipboard is not to be had: the platform says so itself.
    void (async () => api.copy(typeof text === 'string' ? text : await text()))().catch(() => undefined)
  })

export interface OpenedMenu {
  readonly x: number
  readonly y: number
  readonly groups: ContextGroups
  /** Takes the focus back when the menu closes. */
  readonly back: HTMLElement | null
}

interface ContextMenuStore {
  readonly opened: OpenedMenu | null
  /** Rises with every press: of two menus whose actions come late, the last one opens. */
  readonly turn: number
}

export const useContextMenu = create<ContextMenuStore>()(() => ({ opened: null, turn: 0 }))

const marked = (target: EventTarget | null): boolean => {
  const selection = getSelection()
  return selection?.isCollapsed === false && target instanceof Node && selection.containsNode(target, true)
}
/** Before the press: on some platforms the press itself marks the word beneath it. */
let markedBefore = false

const FIELDS =
  'input:not([type="checkbox"],[type="radio"]),textarea,select,[contenteditable="true"],[role="menu"]'

type Pressed = Pick<
  MouseEvent,
  'target' | 'clientX' | 'clientY' | 'button' | 'defaultPrevented' | 'preventDefault'
>

/** Opens a menu where it was asked for. Marked text and fields keep the platform's own, which copies and pastes. */
export function openMenu(event: Pressed, groups: () => ContextGroups | Promise<ContextGroups>): void {
  const { target, clientX: x, clientY: y } = event
  if (event.defaultPrevented || (event.button === 2 && markedBefore)) return
  if (target instanceof Element && target.closest(FIELDS)) return
  event.preventDefault()
  const back = document.activeElement instanceof HTMLElement ? document.activeElement : null
  const turn = useContextMenu.getState().turn + 1
  useContextMenu.setState({ turn })
  // What a menu was to act on may be gone before its actions are there.
  void Promise.resolve(groups()).then((found) => {
    const some = found.filter((group) => group.length > 0)
    if (some.length > 0 && useContextMenu.getState().turn === turn)
      useContextMenu.setState({ opened: { x, y, groups: some, back } })
  }, Boolean)
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
    markedBefore = button === 2 && marked(target)
  }
  document.addEventListener('keydown', pressed, { capture: true, signal: stop.signal })
  document.addEventListener('keyup', lifted, { capture: true, signal: stop.signal })
  document.addEventListener('pointerdown', down, { capture: true, signal: stop.signal })
  return () => stop.abort()
}
