import { create } from 'zustand'
import type { Action } from './action.ts'

/** Actions in groups, parted by lines. Those that follow each other with the same `submenu` stand in one. */
export type ContextGroups = readonly (readonly Action[])[]

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
  /** The press is on marked text. */
  readonly marked: boolean
}

export const useContextMenu = create<ContextMenuStore>()(() => ({ opened: null, turn: 0, marked: false }))

export const FIELDS =
  'input:not([type="checkbox"],[type="radio"]),textarea,select,[contenteditable="true"],[role="menu"]'

type Pressed = Pick<
  MouseEvent,
  'target' | 'clientX' | 'clientY' | 'button' | 'defaultPrevented' | 'preventDefault'
>

/** Opens a menu where it was asked for. Marked text and fields keep the platform's own, which copies and pastes. */
export function openMenu(event: Pressed, groups: () => ContextGroups | Promise<ContextGroups>): void {
  const { target } = event
  if (event.defaultPrevented || (event.button === 2 && useContextMenu.getState().marked)) return
  if (target instanceof Element && target.closest(FIELDS)) return
  event.preventDefault()
  showMenu(event, groups())
}

/** As `openMenu`, of a press that was taken already. */
export function showMenu(
  { clientX: x, clientY: y }: Pick<Pressed, 'clientX' | 'clientY'>,
  groups: ContextGroups | Promise<ContextGroups>,
): void {
  const back = document.activeElement instanceof HTMLElement ? document.activeElement : null
  const turn = useContextMenu.getState().turn + 1
  useContextMenu.setState({ turn })
  // What a menu was to act on may be gone before its actions are there.
  void Promise.resolve(groups).then((found) => {
    const some = found.filter((group) => group.length > 0)
    if (some.length > 0 && useContextMenu.getState().turn === turn)
      useContextMenu.setState({ opened: { x, y, groups: some, back } })
  }, Boolean)
}
