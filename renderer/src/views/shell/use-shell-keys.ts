import { useLayoutEffect } from 'react'
import { openSameAgain } from '@/live/new-window.ts'
import { ROUTES } from '@/routes.tsx'
import { useConnect } from '@/stores/connect.ts'
import { useOver } from '@/stores/over.ts'
import { aloneId, useRoute } from '@/stores/route.ts'
import { undoLatest } from '@/stores/undo.ts'
import { takesKeys } from '@/views/stream/focus.ts'
import { stepIntoList } from './to-list.ts'

/** After `g`, so long the next key names a screen. */
const CHORD_MS = 1_200

const MAC = /mac/i.test(navigator.platform)

const asking = (): boolean => document.querySelector('[role="dialog"],[role="alertdialog"]') !== null

/** Ctrl+K opens the palette from anywhere, text fields included, and closes it; an open question keeps it for itself. */
function palette(event: KeyboardEvent): boolean {
  // On macOS Ctrl+K belongs to text fields.
  const command = MAC ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
  if (!command || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return false
  const { shown, show, close } = useOver.getState()
  if (shown === 'palette') close()
  else if (!asking()) show('palette')
  return true
}

/** Where Ctrl+Z takes back what was typed. */
const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea,input:not([type="checkbox"],[type="radio"])'))

/** Ctrl+Z takes back the latest removal. Both modifiers count on every system: the menu of the desktop presses Ctrl. */
function undoes(event: KeyboardEvent): boolean {
  const asks = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
  return asks && event.key.toLowerCase() === 'z' && !isText(event.target) && undoLatest()
}

const COMMANDS: Readonly<Record<string, () => void>> = {
  w: openSameAgain,
  v: () => useOver.getState().show('file-check'),
  a: () => useConnect.getState().open(),
}

/** A window of one delivery leads to no screen. @returns whether the key meant something there */
function inAlone(key: string): boolean {
  if (key === '?') useOver.getState().show('help')
  else if (key === 'w') openSameAgain()
  else return false
  return true
}

/** The keys that hold on every screen: a digit, or g and a letter, for the screens (routes.tsx); ? for help; Ctrl+K for any action. */
export function useShellKeys(): void {
  // Keys hold as soon as there is something to see.
  useLayoutEffect(() => {
    let chord = 0
    const pressed = (event: KeyboardEvent) => {
      if (palette(event) || undoes(event)) return event.preventDefault()
      if (useOver.getState().shown !== null && !asking()) {
        // Its code is on the way: what is typed for it must not pin or send something in the list.
        event.stopPropagation()
        return event.preventDefault()
      }
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (takesKeys(event.target)) return
      const place = useRoute.getState()
      if (aloneId(place) !== null) {
        if (inAlone(event.key)) event.preventDefault()
        return
      }
      const { go } = place
      const inChord = Date.now() - chord < CHORD_MS
      chord = event.key === 'g' ? Date.now() : 0
      const lettered = inChord ? ROUTES.find(({ key }) => key === event.key) : undefined
      const route = lettered ?? ROUTES[Number(event.key) - 1]
      const command = inChord ? undefined : COMMANDS[event.key]
      if (event.key === '?') useOver.getState().show('help')
      else if (command) command()
      else if (route) go(route.name)
      else if (!stepIntoList(event)) return
      event.preventDefault()
    }
    // Before the screens' own keys: after g, another letter is no command of theirs.
    document.addEventListener('keydown', pressed, { capture: true })
    return () => document.removeEventListener('keydown', pressed, { capture: true })
  }, [])
}
