import { useEffect, useRef } from 'react'
import { ROUTES } from '@/routes.tsx'
import { useRoute } from '@/stores/route.ts'
import { takesKeys } from '@/views/stream/focus.ts'

/** After `g`, so long the next key names a screen. */
const CHORD_MS = 1_200

/** The keys that hold on every screen: a digit, or g and a letter, for the screens (routes.tsx); ? for help. */
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
      const lettered = inChord ? ROUTES.find(({ key }) => key === event.key) : undefined
      const route = lettered ?? ROUTES[Number(event.key) - 1]
      if (event.key === '?') help.current()
      else if (route) go(route.name)
      else return
      event.preventDefault()
    }
    // Before the screens' own keys: after g, another letter is no command of theirs.
    document.addEventListener('keydown', pressed, { capture: true })
    return () => document.removeEventListener('keydown', pressed, { capture: true })
  }, [])
}
