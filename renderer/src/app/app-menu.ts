import i18next from 'i18next'
import type { AppMenu, AppMenuItem, MenuRole, PlainMenuItem } from '#contract/app-menu.ts'
import { STREAM } from '@/features/stream/actions.ts'
import {
  ACTION_TEXTS,
  type Action,
  type ActionGroup,
  keysOf,
  MAC,
  MOD,
  type Say,
  wordsOf,
} from '@/shared/actions/action.ts'
import { DELIVERY } from '@/shared/deliveries/actions.ts'
import { loadTexts } from '@/shared/i18n/texts.ts'
import { useSettings } from '@/shared/live/settings.ts'
import type { Bridge } from '@/shared/platform/electron.ts'
import { ACTIONS, actionsHere, HELP, isAsking, SCREENS } from './actions.ts'
import { perform } from './perform.ts'
import { isLeftTo } from './use-action-keys.ts'

const MENU_OF = {
  list: 'delivery',
  delivery: 'delivery',
  service: 'file',
  receiver: 'file',
  go: 'view',
  look: 'view',
  help: 'help',
} as const satisfies Record<ActionGroup, string>

const ELECTRON_KEYS: Readonly<Record<string, string>> = {
  [MOD]: 'CommandOrControl',
  space: 'Space',
  '↓': 'Down',
  '↑': 'Up',
  Del: 'Delete',
  Esc: 'Escape',
  PgDn: 'PageDown',
  PgUp: 'PageUp',
}
const upper = (key: string): string => (key.length === 1 ? key.toUpperCase() : key)
const accelerator = (sequence: readonly string[]): string =>
  sequence.map((key) => ELECTRON_KEYS[key] ?? upper(key)).join('+')
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const RULE = { type: 'separator' } as const

export function appMenu(say: Say, mac: boolean = MAC): AppMenu {
  const role = (name: MenuRole): PlainMenuItem => ({ role: name, label: say(`roles.${name}`) })

  function item(action: Action): PlainMenuItem {
    const { id, title, short = title, alone, group, checked, host, desktop } = action
    const label = capital(wordsOf(short, say))
    const [own] = desktop ?? []
    const [pageKey] = keysOf(action)
    return {
      id,
      label:
        mac && !own && pageKey ? `${label}  (${pageKey.map(upper).join('+').replace('⌘+', '⌘')})` : label,
      ...(own ? { accelerator: accelerator(own) } : {}),
      ...(!own && pageKey && !mac ? { accelerator: accelerator(pageKey), pageKey: true } : {}),
      ...(alone || group === 'look' || group === 'help' ? { alone: true } : {}),
      ...(checked ? { checked: checked() } : {}),
      ...(host ? { host } : {}),
    }
  }
  /** Applies the system's command to selected text; without a selection, runs the action of the same key. */
  const shared = (name: 'undo' | 'copy' | 'selectAll', action: Action): AppMenuItem => {
    const [sequence] = keysOf(action)
    const label = say(`roles.${name}`)
    return mac && sequence
      ? { id: action.id, role: name, label, accelerator: accelerator(sequence), alone: true }
      : { role: name, label }
  }
  /** The actions of these groups that belong in a menu, with a separator between groups. */
  function of(menu: string, ...groups: readonly ActionGroup[]): AppMenuItem[] {
    const items: AppMenuItem[] = []
    for (const group of groups) {
      const those = ACTIONS.filter(
        (action) => action.group === group && (action.menu ?? MENU_OF[group]) === menu,
      )
      for (const action of those) {
        const heading = action.submenu && wordsOf(action.submenu, say)
        if (items.length > 0 && (action.parted || action === those[0])) items.push(RULE)
        if (heading === undefined) items.push(item(action))
        else if (action === those.find(({ submenu }) => submenu === action.submenu))
          items.push({
            label: heading,
            items: those.filter(({ submenu }) => submenu === action.submenu).map(item),
          })
      }
    }
    return items
  }

  const settings = item(SCREENS.settings)
  const app = [
    role('about'),
    RULE,
    settings,
    RULE,
    ...(['hide', 'hideOthers', 'unhide'] as const).map(role),
    RULE,
    role('quit'),
  ]
  const file = [
    ...of('file', 'help', 'service', 'receiver'),
    RULE,
    { id: 'attach', label: say('menu.attach'), host: 'attach' } as const,
    { id: 'data-folder', label: say('menu.dataFolder'), host: 'showDataFolder' } as const,
    RULE,
    ...(mac ? [role('close')] : [settings, RULE, role('quit')]),
  ]
  const edit = [
    shared('undo', HELP.undo),
    role('redo'),
    RULE,
    role('cut'),
    shared('copy', DELIVERY.copyText),
    role('paste'),
    shared('selectAll', STREAM.chooseAll),
    RULE,
    ...of('edit', 'list', 'help'),
  ]
  const view = [
    ...of('view', 'go', 'list', 'look'),
    RULE,
    ...(['resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen'] as const).map(role),
    RULE,
    ...(['reload', 'toggleDevTools'] as const).map(role),
  ]
  return [
    ...(mac ? [{ label: 'Acuse', items: app }] : []),
    { label: say('menu.file'), items: file },
    { label: say('menu.edit'), items: edit },
    { label: say('menu.delivery'), items: of('delivery', 'list', 'delivery') },
    { label: say('menu.view'), items: view },
    { label: say('menu.window'), items: [role('minimize'), role(mac ? 'zoom' : 'close')] },
    {
      label: say('menu.help'),
      help: true,
      items: [...of('help', 'help'), ...(mac ? [] : [RULE, role('about')])],
    },
  ]
}

/** Keeps the app's menu in the window's language with current check marks, and runs the items that the user selects. */
export async function keepAppMenu({
  setMenu,
  onAction,
}: Pick<Bridge, 'setMenu' | 'onAction'>): Promise<void> {
  await Promise.all((['actions', 'settings', 'sandbox'] as const).map(loadTexts))
  onAction((id, asKey) => {
    const action = actionsHere().find((one) => one.id === id)
    if (!action) return
    const [sequence = []] = keysOf(action)
    if (asKey && !isLeftTo(action, sequence.join(' '), document.activeElement)) return
    // An open dialog blocks all other actions.
    if (!isAsking() || action === HELP.palette) perform(action)
  })
  const draw = () => setMenu(appMenu(i18next.getFixedT(null, ACTION_TEXTS)))
  let drawn = useSettings.getState().settings?.appearance
  useSettings.subscribe(({ settings }) => {
    if (settings?.appearance === drawn) return
    drawn = settings?.appearance
    draw()
  })
  i18next.on('languageChanged', draw)
  draw()
}
