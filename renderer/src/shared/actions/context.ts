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

export const FIELDS =
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
