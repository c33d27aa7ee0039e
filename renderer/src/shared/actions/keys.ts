import { type Action, keysOf } from './action.ts'

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

/**
 * A pressed key as actions write theirs: `Ctrl Enter`, `Shift Del`, `Shift R`, `j`, `?`. A sign counts as it is, whatever keys a keyboard
 * needs for it. @returns null for keys that no action has
 */
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

/** Whether it is one of the keys that hold while the list has the focus. */
export const isListKey = ({ listKeys, hiddenKeys }: Action, key: string): boolean =>
  has(listKeys, key) || has(hiddenKeys, key)

/** Whether a key, or a sequence of two such as `g s`, is one of the action's. */
export const isKeyOf = (action: Action, key: string | null): boolean =>
  key !== null && (has(keysOf(action), key) || has(action.hiddenKeys, key))
