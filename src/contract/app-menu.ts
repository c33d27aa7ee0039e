import { z } from 'zod'

/** What the desktop app does itself for its menu and its tray: it needs no window. */
export const HOST_ACTS = [
  'newWindow',
  'copyAddress',
  'startReceiver',
  'stopReceiver',
  'showDataFolder',
] as const
export type HostAct = (typeof HOST_ACTS)[number]

/** Roles of Electron, of which the system knows what they do. */
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
  /** As Electron writes keys. */
  accelerator: z.string().min(1).max(50).optional(),
  /** The page takes the key itself; the menu shows it. */
  pageKey: z.boolean().optional(),
  /** Any kind of window can do it, not only the one with the list. */
  alone: z.boolean().optional(),
  checked: z.boolean().optional(),
  host: z.enum(HOST_ACTS).optional(),
  /** Its key does this where text is edited, and the action elsewhere. */
  role: z.enum(['undo', 'copy', 'selectAll']).optional(),
})
const item = z.union([separator, role, action])
const submenu = z.strictObject({ label, items: z.array(item).max(100) })
const menu = z.strictObject({
  label,
  help: z.boolean().optional(),
  items: z.array(z.union([item, submenu])).max(100),
})

/** The application's menu as a window makes it, of its actions and in its language. */
export const appMenuSchema = z.array(menu).min(1).max(20)
export type AppMenu = z.infer<typeof appMenuSchema>
export type PlainMenuItem = z.infer<typeof item>
export type AppMenuItem = AppMenu[number]['items'][number]
