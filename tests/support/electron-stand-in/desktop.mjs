import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import { basename } from 'node:path'

// Records what a desktop would show. Tests read it through app.evaluate: menus by their own getter, the rest in `shown`.
const ROLES = new Set(
  `about close copy cut delete editMenu fileMenu forceReload help hide hideOthers minimize paste pasteAndMatchStyle quit redo reload
   resetZoom selectAll services toggleDevTools togglefullscreen undo unhide viewMenu window windowMenu zoom zoomIn zoomOut`.split(
    /\s+/,
  ),
)
const MODIFIERS = /^(Command|Cmd|Control|Ctrl|CommandOrControl|CmdOrCtrl|Alt|Option|Shift|Super|Meta)$/
const KEYS =
  /^(\S|F\d{1,2}|Space|Tab|Enter|Return|Escape|Esc|Backspace|Delete|Insert|Home|End|PageUp|PageDown|Up|Down|Left|Right|Plus)$/

class MenuItem {
  constructor(options) {
    const { role, accelerator, submenu, type } = options
    if (role && !ROLES.has(role)) throw new Error(`Unknown menu role '${role}'`)
    if (!role && !submenu && type !== 'separator' && !options.label)
      throw new Error('A menu item needs a label')
    if (accelerator) {
      const parts = accelerator.split('+')
      if (!KEYS.test(parts.at(-1)) || !parts.slice(0, -1).every((part) => MODIFIERS.test(part)))
        throw new Error(`'${accelerator}' is no accelerator`)
    }
    Object.assign(this, { enabled: true, visible: true, type: submenu ? 'submenu' : 'normal' }, options)
    if (submenu) this.submenu = Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : submenu
    this.click = () => options.click?.(this, undefined, {})
  }
}

export class Menu {
  static #application = null
  items = []
  static setApplicationMenu(menu) {
    Menu.#application = menu
  }
  static getApplicationMenu() {
    return Menu.#application
  }
  static buildFromTemplate(template) {
    const menu = new Menu()
    menu.items = template.map((item) => new MenuItem(item))
    return menu
  }
  getMenuItemById(id) {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id)
      if (found) return found
    }
    return null
  }
}

export const shown = { external: [], notifications: [], tray: null }
export const shell = {
  openExternal: async (url) => void shown.external.push(url),
  openPath: async () => '',
  shown,
}
/** Tests read the questions and set the answer. */
export const dialog = {
  asked: [],
  answer: 0,
  async showMessageBox(options) {
    dialog.asked.push(options)
    return { response: dialog.answer }
  },
  showErrorBox(title, content) {
    process.stderr.write(`[dialog] ${title}: ${content}\n`)
  },
  /** Accepts the dialog's default path, as a user would. */
  showSaveDialog: async ({ defaultPath }) => ({ canceled: false, filePath: defaultPath }),
  /** What the user picks; nothing: the user cancels. */
  picked: [],
  showOpenDialog: async () => ({ canceled: dialog.picked.length === 0, filePaths: dialog.picked }),
}
export class Notification extends EventEmitter {
  constructor(options) {
    super()
    this.options = options
  }
  static isSupported() {
    return true
  }
  show() {
    shown.notifications.push({ ...this.options, click: () => this.emit('click', {}) })
  }
}
/** With STAND_IN_TRAY=none the constructor fails, as on a desktop without a tray. */
export class Tray extends EventEmitter {
  constructor(image) {
    super()
    if (process.env.STAND_IN_TRAY === 'none') throw new Error('no tray')
    shown.tray = this
    this.setImage(image)
  }
  setImage(image) {
    if (image.isEmpty()) throw new Error(`no image at ${image.path}`)
    this.icon = basename(image.path)
  }
  setToolTip(tip) {
    this.tip = tip
  }
  setContextMenu(menu) {
    this.menu = menu
  }
  destroy() {
    shown.tray = null
  }
}
let clip = ''
export const clipboard = {
  writeText(text) {
    clip = text
  },
  readText: async () => clip,
  clear() {
    clip = ''
  },
}
export const nativeImage = { createFromPath: (path) => ({ path, isEmpty: () => !existsSync(path) }) }
