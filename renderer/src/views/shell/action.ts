import type { TFunction } from 'i18next'
import type { Hindered } from './hindrances.ts'

/** Texts of an action: its own, and the names that screens give their parts. */
export const ACTION_TEXTS = ['actions', 'shell', 'settings', 'sandbox', 'stream'] as const
export type Say = TFunction<typeof ACTION_TEXTS>
/** Alternatives, each a sequence; `space` is written out in the language of the window. */
export type Keys = readonly (readonly string[])[]
export type ActionGroup = 'list' | 'delivery' | 'service' | 'go' | 'receiver' | 'look' | 'help'

/** One thing that can be done in the window: a line of the palette, and of the keyboard help when it has keys. */
export interface Action {
  readonly id: string
  readonly group: ActionGroup
  readonly label: (say: Say) => string
  /** More words that find it. */
  readonly also?: (say: Say) => string
  readonly keys?: Keys
  /** Keys of the desktop app's menu, which browsers keep for themselves. */
  readonly desktop?: Keys
  /** Without it, there are only the keys: what a held key does is nothing to choose from a list. */
  readonly run?: () => void
  /** Why it cannot be done now. */
  readonly hindered?: Hindered
}

/** The key of the menu's shortcuts, as it is called on this machine. */
export const MOD = /mac/i.test(globalThis.navigator?.platform ?? '') ? '⌘' : 'Ctrl'

/** The keys of an action, in this host. @param native the desktop app, which has a menu with keys of its own */
export const keysOf = (
  { keys = [], desktop = [] }: Pick<Action, 'keys' | 'desktop'>,
  native: boolean,
): Keys => (native ? [...keys, ...desktop] : keys)
