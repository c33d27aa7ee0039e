import { useEffect, useRef } from 'react'
import { SCREENS, useRoute } from '@/stores/route.ts'
import { takesKeys } from '@/views/stream/focus.ts'

/** After `g`, so long the next key names a screen. */
const CHORD_MS = 1_200

/** The keys that hold on every screen: 1 to 3 and g s, g x, g e for the screens, ? for help. */
export function useShellKeys(onHelp: () => void): void {
  const help = useRef(onHelp)
  useEffect(() => {
    help.current = onHelp
  })
  useEffect(() => {
    let chord = 0
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (takesKeys(event.target)) return
      const { go } = useRoute.getState()
      const inChord = Date.now() - chord < CHORD_MS
      chord = event.key === 'g' ? Date.now() : 0
      const screen = SCREENS[Number(event.key) - 1]
      if (event.key === '?') help.current()
      else if (screen) go(screen)
      else if (inChord && event.key === 's') go('stream')
      else if (inChord && event.key === 'x') go('sandbox')
      else if (inChord && event.key === 'e') go('settings')
      else return
      event.preventDefault()
    }
    // Before the screens' own keys: after g, another letter is no command of theirs.
    document.addEventListener('keydown', pressed, { capture: true })
    return () => document.removeEventListener('keydown', pressed, { capture: true })
  }, [])
}
