import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it } from 'vitest'
import { type Action, keysOf } from '@/views/shell/action.ts'
import { ACTIONS } from '@/views/shell/actions.ts'
import { type MenuActions, menuTemplate } from '../../../../../src/main/menu.ts'

type Item = MenuItemConstructorOptions

/** Where the menu calls an action by another name than the table of actions does. */
const MENU_NAMES: Readonly<Record<string, string>> = {
  chooseAll: 'selectAll',
  close: 'closeDetails',
  copyText: 'copy',
  'copy-address': 'address',
  'file-check': 'fileCheck',
  filter: 'find',
  help: 'shortcuts',
  'language-en': 'languageEn',
  'language-es': 'languageEs',
  'language-system': 'languageSystem',
  'new-sweep': 'newSweep',
  'new-window': 'newWindow',
  'start-receiver': 'startReceiver',
  'stop-receiver': 'stopReceiver',
  'theme-dark': 'themeDark',
  'theme-light': 'themeLight',
  'theme-system': 'themeSystem',
}
/** What a role of Electron does, with a key that the role brings. */
const OF_ROLES: Readonly<Record<string, string>> = { undo: 'Ctrl Z', copy: 'Ctrl C', selectAll: 'Ctrl A' }
/** What only the desktop has: it is no action of the window. */
const MENU_ONLY = ['dataFolder']
/** Parts of the sandbox and rarer forms of a copy: the menu leads to the screen, and to the usual forms. */
const isPlace = ({ id }: Action): boolean => /^(?:sandbox-|copyNdjson|copyCurlSecrets)/.test(id)

const flat = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])])
const nothing = () => undefined
const actions: MenuActions = {
  goTo: nothing,
  press: nothing,
  both: nothing,
  newWindow: nothing,
  setTheme: nothing,
  setLanguage: nothing,
  startReceiver: nothing,
  stopReceiver: nothing,
  copyAddress: nothing,
  showDataFolder: nothing,
}
const MENU = flat(
  menuTemplate(
    {
      language: 'en',
      platform: 'linux',
      listening: true,
      appearance: { theme: 'system', language: 'system' },
    },
    actions,
  ),
)
const menuId = ({ id }: Action): string => MENU_NAMES[id] ?? id.replace(/^go-/, '')
const itemOf = (action: Action): Item | undefined => MENU.find(({ id }) => id === menuId(action))

const WORDS: Readonly<Record<string, string>> = {
  CommandOrControl: 'Ctrl',
  Delete: 'Del',
  Down: '↓',
  Escape: 'Esc',
  PageDown: 'PgDn',
  Space: 'space',
}
/** A key of the menu as the window writes it. */
function written(accelerator: string): string {
  const parts = accelerator.split('+').map((part) => WORDS[part] ?? part)
  return parts.length === 1 && /^[A-Z]$/.test(parts[0] ?? '')
    ? (parts[0]?.toLowerCase() ?? '')
    : parts.join(' ')
}

describe('menu, palette and keyboard help hold the same (issue E, 9)', () => {
  it('every action of the window is in the menu', () => {
    expect(ACTIONS.filter((action) => !isPlace(action) && !itemOf(action)).map(({ id }) => id)).toEqual([])
  })
  it('every item of the menu is an action of the window', () => {
    const known = new Set(ACTIONS.map(menuId))
    const strange = MENU.filter(({ id, role }) => id !== undefined && role === undefined && !known.has(id))
    expect(strange.map(({ id }) => id)).toEqual(MENU_ONLY)
  })
  it('the key that the menu shows is one that palette and help show, and the other way round', () => {
    for (const action of ACTIONS.filter((one) => !isPlace(one))) {
      const shown = keysOf(action, true).map((sequence) => sequence.join(' ').replace('⌘', 'Ctrl'))
      const item = itemOf(action)
      const accelerator = item?.accelerator
      const key = typeof accelerator === 'string' ? written(accelerator) : OF_ROLES[item?.role ?? '']
      if (shown.length === 0) expect(key, action.id).toBeUndefined()
      else expect(shown, action.id).toContain(key)
    }
  })
  it('columns to sort by and sections of Settings stand in the order of the window', () => {
    for (const group of ['sort-', 'settings-']) {
      const of = (ids: readonly string[]) => ids.filter((id) => id.startsWith(group))
      expect(of(MENU.flatMap(({ id }) => id ?? []))).toEqual(of(ACTIONS.map(({ id }) => id)))
    }
  })
  it('the palette lacks only what a held key does, and itself', () => {
    expect(ACTIONS.filter(({ run }) => !run).map(({ id }) => id)).toEqual([
      ...['next', 'previous', 'page', 'chooseRange'],
      // Only while the Raw tab has the keys.
      'goToPlace',
      'palette',
    ])
  })
})
