import type { ParseKeys, TFunction, TypeOptions } from 'i18next'
import { useLayoutEffect } from 'react'
import type { HostAct } from '#contract/app-menu.ts'

export const MAC = /mac/i.test(globalThis.navigator?.platform ?? '')
/** The key of the menu's shortcuts, as it is called on this machine. */
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

/** A pressed key as actions write theirs: `Ctrl Enter`, `Shift R`, `?`; a sign counts as it is. @returns null for keys that no action has */
export function pressedKey({ key, altKey, ctrlKey, metaKey, shiftKey }: Pressed): string | null {
  const [command, other] = MAC ? [metaKey, ctrlKey] : [ctrlKey, metaKey]
  if (altKey || other) return null
  const letter = key.length === 1 && key.toLowerCase() !== key.toUpperCase()
  const name = NAMES[key] ?? (letter && command ? key.toUpperCase() : key)
  // A capital may come from caps lock, and the sign of a key tells by itself whether Shift was needed.
  const shift = letter && !command ? key !== key.toLowerCase() : shiftKey && (letter || key.length > 1)
  return [...(command ? [MOD] : []), ...(shift ? ['Shift'] : []), name].join(' ')
}

const has = (keys: Action['keys'], key: string): boolean =>
  keys?.some((sequence) => sequence.join(' ') === key) ?? false

export const isListKey = ({ listKeys, hiddenKeys }: Action, key: string): boolean =>
  has(listKeys, key) || has(hiddenKeys, key)

/** Whether a key, or a sequence of two such as `g s`, is one of the action's. */
export const isKeyOf = (action: Action, key: string | null): boolean =>
  key !== null && (has(keysOf(action), key) || has(action.hiddenKeys, key))

/** How an action reaches a view: the view shows itself here, and the action takes what is shown. */
export function createShown<T>() {
  let views: readonly { readonly current: T }[] = []
  return {
    now: (): T | null => views.at(-1)?.current ?? null,
    /** Shows the view for as long as the component that calls it stands. */
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

/** Texts of an action: its own, and the names that screens give their parts. */
export const ACTION_TEXTS = ['actions', 'shell', 'settings', 'sandbox', 'stream'] as const
export type Say = TFunction<typeof ACTION_TEXTS>
export type Words = ParseKeys<typeof ACTION_TEXTS> | ((say: Say) => string)
export const wordsOf = (words: Words, say: Say): string =>
  typeof words === 'function' ? words(say) : say(words)

/** Alternatives, each a sequence as `pressedKey` names it; `space` is written out in the language of the window. */
export type Keys = readonly (readonly string[])[]
export type ActionGroup = 'list' | 'delivery' | 'service' | 'go' | 'receiver' | 'look' | 'help'
/** Why an action cannot be done now. */
export type Hindrance = keyof TypeOptions['resources']['actions']['reason']
export type When = () => Hindrance | null

/** One thing that can be done in the window: keyboard, palette, keyboard help, menus and the keys in tooltips are made from it. */
export interface Action {
  readonly id: string
  readonly group: ActionGroup
  readonly title: Words
  /** Its name in a menu, where its neighbours say the rest. */
  readonly short?: Words
  readonly also?: Words

  readonly keys?: Keys
  /** Keys that hold only while the list of the screen has the focus. */
  readonly listKeys?: Keys
  readonly hiddenKeys?: Keys
  /** Keys of the desktop app's menu, which browsers keep for themselves. */
  readonly desktop?: Keys
  /** Whether the focused element leaves the keys to it; without it, a field, a dialog and a menu keep theirs. */
  readonly holds?: (target: EventTarget | null) => boolean

  /** The screen that it needs: asked for elsewhere, it leads there first. */
  readonly on?: 'stream'
  /** It acts on the delivery of a window that shows one delivery, too. */
  readonly alone?: true
  readonly when?: When
  /** Of a choice: whether it is the one chosen. */
  readonly checked?: () => boolean
  /** @param key the key pressed for it; undefined when it was chosen by name */
  readonly run: (key?: string) => void

  /** Its menu in the app, where that is not the one of its group. */
  readonly menu?: 'file' | 'edit' | 'view' | 'none'
  readonly submenu?: Words
  /** A line parts it from what stands before it in a menu. */
  readonly parted?: true
  /** What it does is hard to take back. */
  readonly danger?: true
  /** A key or a menu's place makes it useful; the palette does not offer it. */
  readonly keyOnly?: true
  /** The desktop app does it itself, with and without a window. */
  readonly host?: HostAct
}

type Shared = 'group' | 'on'

/** @param shared what all of them have */
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
