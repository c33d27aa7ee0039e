import './styles/global.css'
import { type ReactNode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { changeLanguage, setUpLanguage } from './i18n/set-up.ts'
import { attach } from './live/api.ts'
import { startIntake } from './live/intake.ts'
import { list, reopenList } from './live/list.ts'
import { startReplaysIntake } from './live/replays-intake.ts'
import type { Platform } from './platform/types.ts'
import { followSavedFilters } from './stores/columns.ts'
import { followPlace } from './stores/place.ts'
import { followHash } from './stores/route.ts'
import { useSettings } from './stores/settings.ts'
import { followSummary } from './stores/summary.ts'
import { applyTheme, lastAppearance, onSystemTheme, rememberAppearance } from './stores/theme.ts'
import { App } from './views/shell/app.tsx'
import { NoSession } from './views/shell/no-session.tsx'

/** Theme and language follow the settings, and the system where the settings leave it to the system. */
function followAppearance(): void {
  let appearance = lastAppearance()
  const apply = () => {
    applyTheme(appearance.theme)
    changeLanguage(appearance.language)
  }
  setUpLanguage(appearance.language)
  apply()
  onSystemTheme(apply)
  window.addEventListener('languagechange', apply)
  useSettings.subscribe(({ settings }) => {
    if (!settings || settings.appearance === appearance) return
    appearance = settings.appearance
    rememberAppearance(appearance)
    apply()
  })
}

/** Draws the window on a host; called once, by the entry file that chose it. */
export function startWindow(platform: Platform): void {
  attach(platform)
  followAppearance()
  followHash()
  followPlace()
  followSummary()
  followSavedFilters()
  startIntake(platform, {
    apply: (pushes) => list.apply(pushes),
    outdate: (ids) => list.outdate(ids),
    reopen: reopenList,
  })
  startReplaysIntake(platform)
  draw(<App />)
}

/** Draws the page of a browser that has no session: it asks the host for nothing and says how to get in. */
export function startWithoutSession(): void {
  followAppearance()
  draw(<NoSession />)
}

function draw(page: ReactNode): void {
  const root = document.getElementById('root')
  // As a transition it is drawn in slices, between which the first page can come in.
  if (root) startTransition(() => createRoot(root).render(page))
}
