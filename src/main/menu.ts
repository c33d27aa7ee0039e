import type { MenuItemConstructorOptions } from 'electron'
import { SORT_KEYS } from '#contract/order.ts'
import type { Settings } from '#contract/settings.ts'
import { type LabelKey, type Language, label } from './menu-labels.ts'

type Appearance = Settings['appearance']

/** What the menu can do beyond Electron's own roles. */
export interface MenuActions {
  /** Shows a place of the window, as its hash names it without "#/". */
  goTo(place: string): void
  /** Presses a key for the person: the page owns these actions, and so they are done in one place. */
  press(key: string, modifiers?: readonly ('control' | 'meta' | 'shift')[]): void
  /** What a role would do, and the key of it besides: macOS gives the key to the role and never to the page. */
  both(role: 'undo' | 'copy' | 'selectAll', key: string): void
  newWindow(): void
  setTheme(theme: Appearance['theme']): void
  setLanguage(language: Appearance['language']): void
  startReceiver(): void
  stopReceiver(): void
  copyAddress(): void
  showDataFolder(): void
}

export interface MenuState {
  readonly language: Language
  readonly platform: NodeJS.Platform
  readonly listening: boolean
  /** As it was chosen in Settings. */
  readonly appearance: Appearance
}

type Item = MenuItemConstructorOptions

/** Sections of Settings in the order of the window, which a test compares. */
const SETTINGS_SECTIONS = [
  ...(['receiver', 'endpoints', 'targets', 'faults'] as const),
  ...(['connections', 'masking', 'retention', 'appearance', 'about'] as const),
] as const

/** The whole application menu for a state; rebuilt when the state changes, since Electron's labels cannot be changed in place. */
export function menuTemplate(state: MenuState, actions: MenuActions): Item[] {
  const mac = state.platform === 'darwin'
  const say = (key: LabelKey) => label(key, state.language)
  const role = (name: NonNullable<Item['role']>, key: LabelKey): Item => ({
    id: key,
    role: name,
    label: say(key),
  })
  const action = (key: LabelKey, click: () => void, more: Item = {}): Item => ({
    id: key,
    label: say(key),
    click,
    ...more,
  })
  const rule: Item = { type: 'separator' }
  // macOS takes the keys of a menu from the page, also while somebody types: there they are shown in the label instead.
  const key = (
    name: LabelKey,
    shown: string,
    pressed: string,
    ...modifiers: readonly ('control' | 'meta' | 'shift')[]
  ): Item =>
    action(
      name,
      () => actions.press(pressed, modifiers),
      mac ? { label: `${say(name)}  (${shown})` } : { accelerator: shown, registerAccelerator: false },
    )

  const shared = (name: 'undo' | 'copy' | 'selectAll', pressed: string): Item =>
    mac
      ? action(name, () => actions.both(name, pressed), { accelerator: `Command+${pressed}` })
      : role(name, name)
  const choice = (name: LabelKey, checked: boolean, click: () => void): Item =>
    action(name, click, { type: 'radio', checked })
  const { theme, language } = state.appearance

  const settings = action('settings', () => actions.goTo('settings'), { accelerator: 'CommandOrControl+,' })
  const receiver: Item[] = [
    action('newWindow', actions.newWindow, { accelerator: 'CommandOrControl+N' }),
    key('fileCheck', 'V', 'v'),
    rule,
    action('address', actions.copyAddress, {
      accelerator: 'CommandOrControl+Shift+C',
      enabled: state.listening,
    }),
    action('startReceiver', actions.startReceiver, { visible: !state.listening }),
    action('stopReceiver', actions.stopReceiver, { visible: state.listening }),
    key('connect', 'A', 'a'),
    rule,
    action('emit', () => actions.goTo('sandbox/emit')),
    action('newSweep', () => actions.goTo('reconcile')),
    rule,
    action('dataFolder', actions.showDataFolder),
  ]
  const aboutMac: Item[] = [
    role('about', 'about'),
    rule,
    settings,
    rule,
    role('hide', 'hide'),
    role('hideOthers', 'hideOthers'),
    role('unhide', 'showAll'),
    rule,
    role('quit', 'quit'),
  ]
  const help: Item[] = [key('shortcuts', '?', '?')]

  return [
    ...(mac ? [{ label: 'Acuse', submenu: aboutMac }] : []),
    {
      label: say('file'),
      submenu: [
        ...receiver,
        rule,
        ...(mac ? [role('close', 'close')] : [settings, rule, role('quit', 'quit')]),
      ],
    },
    {
      label: say('edit'),
      submenu: [
        shared('undo', 'Z'),
        role('redo', 'redo'),
        rule,
        role('cut', 'cut'),
        shared('copy', 'C'),
        role('paste', 'paste'),
        shared('selectAll', 'A'),
        rule,
        key('find', '/', '/'),
        action('clearFilter', () => actions.goTo('stream?filter=')),
        mac ? key('palette', '⌘K', 'K', 'meta') : key('palette', 'CommandOrControl+K', 'K', 'control'),
      ],
    },
    {
      label: say('delivery'),
      submenu: [
        key('next', 'J', 'j'),
        key('previous', 'K', 'k'),
        key('newest', 'Home', 'Home'),
        key('oldest', 'End', 'End'),
        key('page', 'PageDown', 'PageDown'),
        key('goToTime', 'Shift+G', 'G', 'shift'),
        key('headings', 'S', 's'),
        key('chooseRange', 'Shift+Down', 'Down', 'shift'),
        key('follow', 'F', 'f'),
        rule,
        key('open', 'Enter', 'Enter'),
        mac
          ? key('inWindow', '⌘Enter', 'Enter', 'meta')
          : key('inWindow', 'CommandOrControl+Enter', 'Enter', 'control'),
        key('closeDetails', 'Escape', 'Escape'),
        mac ? key('goToPlace', '⌘G', 'G', 'meta') : key('goToPlace', 'CommandOrControl+G', 'G', 'control'),
        key('dock', 'D', 'd'),
        key('pin', 'P', 'p'),
        key('tags', 'L', 'l'),
        key('note', 'M', 'm'),
        key('delete', 'Delete', 'Delete'),
        key('deleteShown', 'Shift+Delete', 'Delete', 'shift'),
        key('compare', 'C', 'c'),
        rule,
        key('replay', 'R', 'r'),
        key('replaySheet', 'Shift+R', 'R', 'shift'),
        rule,
        key('copyJson', 'Y', 'y'),
        key('copyCurl', 'Shift+Y', 'Y', 'shift'),
        rule,
        key('pause', 'Space', 'Space'),
      ],
    },
    {
      label: say('view'),
      submenu: [
        action('stream', () => actions.goTo('stream'), { accelerator: 'CommandOrControl+1' }),
        action('documents', () => actions.goTo('documents'), { accelerator: 'CommandOrControl+2' }),
        action('reconcile', () => actions.goTo('reconcile'), { accelerator: 'CommandOrControl+3' }),
        action('replays', () => actions.goTo('replays'), { accelerator: 'CommandOrControl+4' }),
        action('sandbox', () => actions.goTo('sandbox'), { accelerator: 'CommandOrControl+5' }),
        action('plugins', () => actions.goTo('plugins'), { accelerator: 'CommandOrControl+6' }),
        action('drift', () => actions.goTo('drift'), { accelerator: 'CommandOrControl+7' }),
        {
          label: say('settingsOf'),
          submenu: SETTINGS_SECTIONS.map((name) =>
            action(`settings-${name}`, () => actions.goTo(`settings/${name}`)),
          ),
        },
        rule,
        {
          label: say('sortBy'),
          submenu: SORT_KEYS.map((by) => action(`sort-${by}`, () => actions.goTo(`stream?sort=${by}`))),
        },
        key('timeline', 'T', 't'),
        rule,
        {
          label: say('theme'),
          submenu: [
            choice('themeLight', theme === 'light', () => actions.setTheme('light')),
            choice('themeDark', theme === 'dark', () => actions.setTheme('dark')),
            choice('themeSystem', theme === 'system', () => actions.setTheme('system')),
          ],
        },
        {
          label: say('language'),
          submenu: [
            choice('languageEn', language === 'en', () => actions.setLanguage('en')),
            choice('languageEs', language === 'es', () => actions.setLanguage('es')),
            choice('languageSystem', language === 'system', () => actions.setLanguage('system')),
          ],
        },
        rule,
        role('resetZoom', 'zoomReset'),
        role('zoomIn', 'zoomIn'),
        role('zoomOut', 'zoomOut'),
        role('togglefullscreen', 'fullScreen'),
        rule,
        role('reload', 'reload'),
        role('toggleDevTools', 'devTools'),
      ],
    },
    {
      label: say('window'),
      submenu: [role('minimize', 'minimise'), mac ? role('zoom', 'zoom') : role('close', 'close')],
    },
    { role: 'help', label: say('help'), submenu: mac ? help : [...help, rule, role('about', 'about')] },
  ]
}
