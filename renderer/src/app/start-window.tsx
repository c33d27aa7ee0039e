import '@/shared/styles/global.css'
import { type ReactNode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { followSavedFilters } from '@/shared/deliveries/column-store.ts'
import { list, reopenList } from '@/shared/deliveries/list.ts'
import { followSummary } from '@/shared/deliveries/summary.ts'
import { provideTexts } from '@/shared/i18n/late-texts.ts'
import { changeLanguage, setUpLanguage } from '@/shared/i18n/set-up.ts'
import { attach } from '@/shared/live/api.ts'
import { startIntake } from '@/shared/live/intake.ts'
import { startReplaysIntake } from '@/shared/live/replays-intake.ts'
import { followHash } from '@/shared/live/route.ts'
import { useSettings } from '@/shared/live/settings.ts'
import type { Platform } from '@/shared/platform/types.ts'
import { App } from './app.tsx'
import { LATE_TEXTS } from './late-texts.ts'
import { NoSession } from './no-session.tsx'
import { followPlace } from './place.ts'
import { RESOURCES } from './resources.ts'
import { applyTheme, lastAppearance, onSystemTheme, rememberAppearance } from './theme.ts'

/** Theme and language follow the settings, and the system where the settings leave it to the system. */
function followAppearance(): void {
  let appearance = lastAppearance()
  const apply = () => {
    applyTheme(appearance.theme)
    changeLanguage(appearance.language)
  }
  setUpLanguage(appearance.language, RESOURCES)
  provideTexts(LATE_TEXTS)
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
    matched: (matches) => void import('./filter-notices.ts').then(({ tellMatches }) => tellMatches(matches)),
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
