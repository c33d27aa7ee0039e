import { z } from 'zod'

/** Menu and tray actions that the desktop app runs itself, without a window. */
export const HOST_ACTS = [
  'newWindow',
  'attach',
  'copyAddress',
  'startReceiver',
  'stopReceiver',
  'showDataFolder',
] as const
export type HostAct = (typeof HOST_ACTS)[number]

/** Electron's menu roles, which the operating system implements. */
const ROLES = [
  'about',
  'hide',
  'hideOthers',
  'unhide',
  'quit',
  'close',
  'minimize',
  'zoom',
  'undo',
  'redo',
  'cut',
  'copy',
  'paste',
  'selectAll',
  'resetZoom',
  'zoomIn',
  'zoomOut',
  'togglefullscreen',
  'reload',
  'toggleDevTools',
] as const
export type MenuRole = (typeof ROLES)[number]

const label = z.string().min(1).max(200)
const separator = z.strictObject({ type: z.literal('separator') })
const role = z.strictObject({ role: z.enum(ROLES), label })
const action = z.strictObject({
  id: z.string().min(1).max(100),
  label,
  /** In Electron's accelerator syntax. */
  accelerator: z.string().min(1).max(50).optional(),
  /** The page handles the key itself; the menu only shows it. */
  pageKey: z.boolean().optional(),
  /** Works in every kind of window, not only in the main one. */
  alone: z.boolean().optional(),
  checked: z.boolean().optional(),
  host: z.enum(HOST_ACTS).optional(),
  /** In a text field the key does this role instead of the action. */
  role: z.enum(['undo', 'copy', 'selectAll']).optional(),
})
const item = z.union([separator, role, action])
const submenu = z.strictObject({ label, items: z.array(item).max(100) })
const menu = z.strictObject({
  label,
  help: z.boolean().optional(),
  items: z.array(z.union([item, submenu])).max(100),
})

/** The application menu, built by a window from its actions and in its language. */
export const appMenuSchema = z.array(menu).min(1).max(20)
export type AppMenu = z.infer<typeof appMenuSchema>
export type PlainMenuItem = z.infer<typeof item>
export type AppMenuItem = AppMenu[number]['items'][number]
