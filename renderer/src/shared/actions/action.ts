import type { ParseKeys, TFunction } from 'i18next'
import type { HostAct } from '#contract/app-menu.ts'

/** Texts of an action: its own, and the names that screens give their parts. */
export const ACTION_TEXTS = ['actions', 'shell', 'settings', 'sandbox', 'stream'] as const
export type Say = TFunction<typeof ACTION_TEXTS>
/** The key of a text, or what puts one together. */
export type Words = ParseKeys<typeof ACTION_TEXTS> | ((say: Say) => string)
export const wordsOf = (words: Words, say: Say): string =>
  typeof words === 'function' ? words(say) : say(words)

/** Alternatives, each a sequence as `pressedKey` names it; `space` is written out in the language of the window. */
export type Keys = readonly (readonly string[])[]
export type ActionGroup = 'list' | 'delivery' | 'service' | 'go' | 'receiver' | 'look' | 'help'
/** Why an action cannot be done now; its words are in the `actions` texts. */
export type Hindrance =
  | 'noRow'
  | 'noneOpen'
  | 'noDeliveries'
  | 'noFilter'
  | 'listening'
  | 'notListening'
  | 'noConnection'
  | 'alreadySo'
  | 'noRemoval'
  | 'lost'
export type When = () => Hindrance | null

/**
 * One thing that can be done in the window. Keyboard, palette, keyboard help, menus and the keys in tooltips are made from it.
 * Features declare theirs with `defineActions`; shell/actions.ts puts them together.
 */
export interface Action {
  readonly id: string
  readonly group: ActionGroup
  readonly title: Words
  /** Its name in a menu, where its neighbours say the rest. */
  readonly short?: Words
  /** More words that find it. */
  readonly also?: Words

  readonly keys?: Keys
  /** Keys that hold only while the list of the screen has the focus. */
  readonly listKeys?: Keys
  /** List keys that no help shows. */
  readonly hiddenKeys?: Keys
  /** Keys of the desktop app's menu, which browsers keep for themselves. */
  readonly desktop?: Keys
  /** Whether the focused element leaves the keys to it; without it, a field, a dialog and a menu keep theirs. */
  readonly holds?: (target: EventTarget | null) => boolean

  /** The screen that it needs: asked for elsewhere, it leads there first. */
  readonly on?: 'stream'
  /** It acts on the delivery of a window that shows one delivery, too. */
  readonly alone?: true
  /** Null while nothing hinders it. */
  readonly when?: When
  /** Of a choice: whether it is the one chosen. */
  readonly checked?: () => boolean
  /** @param key the key pressed for it; undefined when it was chosen by name */
  readonly run: (key?: string) => void

  /** Its menu in the app, where that is not the one of its group. */
  readonly menu?: 'file' | 'edit' | 'view' | 'none'
  /** Heading of the submenu in which it stands. */
  readonly submenu?: Words
  /** A line parts it from what stands before it in a menu. */
  readonly parted?: true
  /** A key or a menu's place makes it useful; the palette does not offer it. */
  readonly keyOnly?: true
  /** The desktop app does it itself, with and without a window. */
  readonly host?: HostAct
}

/** Actions of one feature, each under its id. */
export function defineActions<Id extends string>(
  actions: Readonly<Record<Id, Omit<Action, 'id'>>>,
): Readonly<Record<Id, Action>> {
  const defined = Object.entries<Omit<Action, 'id'>>(actions).map(([id, action]) => [id, { id, ...action }])
  return Object.fromEntries(defined) as Record<Id, Action>
}

export interface KeysHere {
  /** The desktop app, which has a menu with keys of its own. */
  readonly native?: boolean
  /** A window of one delivery has no list. */
  readonly alone?: boolean
}
/** The keys of an action that a list of keys shows. */
export const keysOf = (action: Action, { native = false, alone = false }: KeysHere = {}): Keys => [
  ...(action.keys ?? []),
  ...(alone ? [] : (action.listKeys ?? [])),
  ...(native ? (action.desktop ?? []) : []),
]
