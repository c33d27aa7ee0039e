import type { ParseKeys, TFunction, TypeOptions } from 'i18next'
import { useLayoutEffect } from 'react'
import type { HostAct } from '#contract/app-menu.ts'

export const MAC = /mac/i.test(globalThis.navigator?.platform ?? '')
/** The platform's modifier key for menu shortcuts. */
export const MOD = MAC ? '⌘' : 'Ctrl'

const NAMES: Readonly<Record<string, string>> = {
  ' ': 'space',
  ArrowDown: '↓',
  ArrowUp: '↑',
  Delete: 'Del',
  Escape: 'Esc',
  PageDown: 'PgDn',
  PageUp: 'PgUp',
}

type Pressed = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** Names a key press in the notation of actions: `Ctrl Enter`, `Shift R`, `?`. @returns null for keys that no action has */
export function pressedKey({ key, altKey, ctrlKey, metaKey, shiftKey }: Pressed): string | null {
  const [command, other] = MAC ? [metaKey, ctrlKey] : [ctrlKey, metaKey]
  if (altKey || other) return null
  const letter = key.length === 1 && key.toLowerCase() !== key.toUpperCase()
  const name = NAMES[key] ?? (letter && command ? key.toUpperCase() : key)
  // Caps lock also yields capitals, so Shift is not read off the letter. A sign already tells whether Shift was needed.
  const shift = letter && !command ? key !== key.toLowerCase() : shiftKey && (letter || key.length > 1)
  return [...(command ? [MOD] : []), ...(shift ? ['Shift'] : []), name].join(' ')
}

const has = (keys: Action['keys'], key: string): boolean =>
  keys?.some((sequence) => sequence.join(' ') === key) ?? false

export const isListKey = ({ listKeys, hiddenKeys }: Action, key: string): boolean =>
  has(listKeys, key) || has(hiddenKeys, key)

/** Whether a key, or a sequence of two keys such as `g s`, triggers the action. */
export const isKeyOf = (action: Action, key: string | null): boolean =>
  key !== null && (has(keysOf(action), key) || has(action.hiddenKeys, key))

/** Lets an action reach a mounted view: the view registers itself, and the action reads the registered view. */
export function createShown<T>() {
  let views: readonly { readonly current: T }[] = []
  return {
    now: (): T | null => views.at(-1)?.current ?? null,
    /** Registers the view while the calling component is mounted. */
    useShown(view: T): void {
      useLayoutEffect(() => {
        const mine = { current: view }
        views = [...views, mine]
        return () => {
          views = views.filter((one) => one !== mine)
        }
      })
    },
  }
}

/** Text namespaces of actions: their own, and the names that screens give their parts. */
export const ACTION_TEXTS = ['actions', 'shell', 'settings', 'sandbox', 'stream'] as const
export type Say = TFunction<typeof ACTION_TEXTS>
export type Words = ParseKeys<typeof ACTION_TEXTS> | ((say: Say) => string)
export const wordsOf = (words: Words, say: Say): string =>
  typeof words === 'function' ? words(say) : say(words)

/** Alternative key sequences, in the notation of `pressedKey`; the window's language gives `space` its name. */
export type Keys = readonly (readonly string[])[]
export type ActionGroup = 'list' | 'delivery' | 'service' | 'go' | 'receiver' | 'look' | 'help'
/** Why an action is not available now. */
export type Hindrance = keyof TypeOptions['resources']['actions']['reason']
export type When = () => Hindrance | null

/** A command of the window. Keyboard, palette, keyboard help, menus and the keys in tooltips are all derived from it. */
export interface Action {
  readonly id: string
  readonly group: ActionGroup
  readonly title: Words
  /** Shorter title for menus, where the neighbouring items give the context. */
  readonly short?: Words
  readonly also?: Words

  readonly keys?: Keys
  /** Keys that work only while the screen's list has the focus. */
  readonly listKeys?: Keys
  readonly hiddenKeys?: Keys
  /** Keys for the desktop app's menu only, because browsers reserve them. */
  readonly desktop?: Keys
  /** Whether the action may take its keys from the focused element. By default fields, dialogs and menus keep their keys. */
  readonly holds?: (target: EventTarget | null) => boolean

  /** The screen on which the action works; triggered on another screen, the action navigates there first. */
  readonly on?: 'stream'
  /** The action also works in a window that shows a single delivery. */
  readonly alone?: true
  readonly when?: When
  /** For a radio or checkbox item: whether it is checked. */
  readonly checked?: () => boolean
  /** @param key the key that triggered the action; undefined when the user selected it by name */
  readonly run: (key?: string) => void

  /** Menu in the desktop app, where it differs from the menu of its group. */
  readonly menu?: 'file' | 'edit' | 'view' | 'none'
  readonly submenu?: Words
  /** A separator precedes it in a menu. */
  readonly parted?: true
  /** The action is hard to undo. */
  readonly danger?: true
  /** The action is useful only by key or in its menu, so the palette leaves it out. */
  readonly keyOnly?: true
  /** The desktop process carries it out itself, with or without a window. */
  readonly host?: HostAct
}

type Shared = 'group' | 'on'

/** @param shared properties that all of the actions have */
export const defineActions =
  (shared: Pick<Action, Shared>) =>
  <Id extends string>(
    actions: Readonly<Record<Id, Omit<Action, 'id' | Shared>>>,
  ): Readonly<Record<Id, Action>> => {
    const own = Object.entries<Omit<Action, 'id' | Shared>>(actions)
    return Object.fromEntries(own.map(([id, action]) => [id, { id, ...shared, ...action }])) as Record<
      Id,
      Action
    >
  }

export const keysOf = (action: Action, { native = false, alone = false } = {}): Keys => [
  ...(action.keys ?? []),
  ...(alone ? [] : (action.listKeys ?? [])),
  ...(native ? (action.desktop ?? []) : []),
]
