import type { IpcMain, MenuItemConstructorOptions } from 'electron'
import { type AppMenu, type AppMenuItem, appMenuSchema, type HostAct } from '#contract/app-menu.ts'
import type { Engine } from '#core/engine/engine.ts'
import { ACTION, MENU } from '../preload/channels.ts'
import type { Caller } from './ipc.ts'
import type { Windows } from './windows.ts'

export interface MenuHost {
  readonly engine: Pick<Engine, 'call' | 'subscribe'>
  readonly ipc: Pick<IpcMain, 'on'>
  readonly trusted: (caller: Caller) => boolean
  readonly windows: Pick<Windows, 'front' | 'list' | 'show' | 'raise' | 'attached'>
  readonly acts: Readonly<Record<HostAct, () => void>>
  draw(template: MenuItemConstructorOptions[]): void
  warn(message: string): void
}

/**
 * Shows the menu that a window sends, and sends the chosen action back to a window. Without a window the last menu stays: an action that
 * needs a window opens one.
 */
export async function keepMenu({ engine, ipc, trusted, windows, acts, ...host }: MenuHost): Promise<void> {
  let menu: AppMenu | undefined
  let listening = (await engine.call('status.get', {})).receiver.state === 'listening'
  /** Id of an action for a window that is still opening. */
  let waiting: string | undefined
  let drawn = ''

  function act(id: string, alone: boolean): void {
    const window = alone ? windows.front : windows.list
    if (!window) windows.show()
    else if (!alone) windows.raise(window)
    if (window) window.webContents.send(ACTION, id, false)
    else waiting = id
  }
  const both = (role: 'undo' | 'copy' | 'selectAll', id: string) => {
    windows.front?.webContents[role]()
    windows.front?.webContents.send(ACTION, id, true)
  }
  const elsewhere = () => windows.attached(windows.front?.webContents.id) !== undefined
  function draw(): void {
    const wanted = JSON.stringify([menu, listening])
    if (!menu || wanted === drawn) return
    drawn = wanted
    host.draw(menuTemplate(menu, { listening, acts, act, both, elsewhere }))
  }

  host.draw([...FIRST_MENU])
  ipc.on(MENU, (event, sent: unknown) => {
    if (!trusted(event)) return
    const parsed = appMenuSchema.safeParse(sent)
    if (!parsed.success)
      return host.warn(`A window gave a menu that cannot be shown: ${parsed.error.message}`)
    menu = parsed.data
    draw()
    // A window that sends its menu is ready for actions.
    if (waiting !== undefined) event.sender.send(ACTION, waiting, false)
    waiting = undefined
  })
  engine.subscribe((push, payload) => {
    if (push !== 'status.changed') return
    listening = payload.receiver.state === 'listening'
    draw()
  })
}

interface MenuParts {
  readonly listening: boolean
  readonly acts: Readonly<Record<HostAct, () => void>>
  /** Sends an action to a window. @param alone whether a window of a single delivery can do it too */
  act(id: string, alone: boolean): void
  /** Performs the role and the page's action of the same key: macOS passes the key to the menu and never to the page. */
  both(role: 'undo' | 'copy' | 'selectAll', id: string): void
  /** Whether the window in front shows an attached host. */
  elsewhere(): boolean
}

type Item = MenuItemConstructorOptions
/** Acts that mean the app, also when an attached window is in front. The page does the others on its host, as far as it has them. */
const OF_THE_APP: ReadonlySet<HostAct> = new Set(['newWindow', 'attach'])

/** Menus until the first window sends its own. */
const FIRST_MENU: readonly Item[] = [
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
      if (host && (OF_THE_APP.has(host) || !parts.elsewhere())) parts.acts[host]()
      else if (host) parts.act(id, true)
      else if (role) parts.both(role, id)
      else parts.act(id, alone)
    },
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: !pageKey }),
    ...(checked === undefined ? {} : { type: 'radio', checked }),
    // Set here, since the receiver also starts and stops without a window.
    ...(host === 'copyAddress' ? { enabled: parts.listening } : {}),
    ...(host === 'startReceiver' ? { visible: !parts.listening } : {}),
    ...(host === 'stopReceiver' ? { visible: parts.listening } : {}),
  }
}

/** The menu in Electron's form. Each change builds it again, since Electron cannot change a label in place. */
export const menuTemplate = (menu: AppMenu, parts: MenuParts): Item[] =>
  menu.map(({ label, help, items }) => ({
    label,
    ...(help ? { role: 'help' } : {}),
    submenu: items.map((item) => itemOf(item, parts)),
  }))
