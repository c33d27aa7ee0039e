import type { MenuItemConstructorOptions } from 'electron'
import type { AppMenu, AppMenuItem, HostAct } from '#contract/app-menu.ts'

export interface MenuParts {
  readonly listening: boolean
  /** What the app does itself. */
  readonly acts: Readonly<Record<HostAct, () => void>>
  /** Does an action of the window. @param alone a window of one delivery can do it too */
  act(id: string, alone: boolean): void
  /** Does what a role does, and the action of the same key besides: macOS gives the key to the menu and never to the page. */
  both(role: 'undo' | 'copy' | 'selectAll', id: string): void
}

type Item = MenuItemConstructorOptions

/** Menus that work before a window gave the app its own. */
export const FIRST_MENU: readonly Item[] = [
  ...(process.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
  { role: 'fileMenu' },
  { role: 'editMenu' },
  { role: 'viewMenu' },
  { role: 'windowMenu' },
]

function itemOf(item: AppMenuItem, parts: MenuParts): Item {
  if ('type' in item) return item
  if ('items' in item) return { label: item.label, submenu: item.items.map((one) => itemOf(one, parts)) }
  if (!('id' in item)) return { id: item.role, role: item.role, label: item.label }
  const { id, label, accelerator, pageKey, alone = false, checked, host, role } = item
  return {
    id,
    label,
    click: () => {
      if (host) parts.acts[host]()
      else if (role) parts.both(role, id)
      else parts.act(id, alone)
    },
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: !pageKey }),
    ...(checked === undefined ? {} : { type: 'radio', checked }),
    // The receiver starts and stops without a window, too.
    ...(host === 'copyAddress' ? { enabled: parts.listening } : {}),
    ...(host === 'startReceiver' ? { visible: !parts.listening } : {}),
    ...(host === 'stopReceiver' ? { visible: parts.listening } : {}),
  }
}

/** The menu as Electron takes it; made anew when anything of it changes, since Electron's labels cannot be changed in place. */
export const menuTemplate = (menu: AppMenu, parts: MenuParts): Item[] =>
  menu.map(({ label, help, items }) => ({
    label,
    ...(help ? { role: 'help' } : {}),
    submenu: items.map((item) => itemOf(item, parts)),
  }))
