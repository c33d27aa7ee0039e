import '@/shared/styles/global.css'
import { KeyRound } from 'lucide-react'
import { type ReactNode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { useTranslation } from 'react-i18next'
import type { Settings } from '#contract/settings.ts'
import shell from '@/app/texts/en/shell.json'
import stream from '@/features/stream/texts/en/stream.json'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { followSavedFilters } from '@/shared/deliveries/columns.ts'
import { list, reopenList } from '@/shared/deliveries/list.ts'
import { followSummary } from '@/shared/deliveries/summary.ts'
import { changeLanguage, setUpLanguage, type TextFiles, type Texts } from '@/shared/i18n/texts.ts'
import { attach } from '@/shared/live/api.ts'
import { startIntake } from '@/shared/live/intake.ts'
import { remember, remembered } from '@/shared/live/remembered.ts'
import { followHash } from '@/shared/live/route.ts'
import { useSettings } from '@/shared/live/settings.ts'
import type { Platform } from '@/shared/platform/types.ts'
import common from '@/shared/texts/en/common.json'
import components from '@/shared/texts/en/components.json'
import errors from '@/shared/texts/en/errors.json'
import { App } from './app.tsx'
import { Guard } from './guard.tsx'
import { followPlace } from './place.ts'

type Appearance = Settings['appearance']
const KEY = 'appearance'
const dark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)')

function readAppearance(stored: unknown): Appearance | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { theme, language } = stored as Partial<Record<keyof Appearance, unknown>>
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    language: language === 'en' || language === 'es' ? language : 'system',
  }
}

function applyTheme(theme: Appearance['theme']): void {
  const resolved = theme === 'system' ? (dark().matches ? 'dark' : 'light') : theme
  document.documentElement.dataset.theme = resolved
}

const COMMAND = 'acuse link'

function NoSession() {
  const { t } = useTranslation('shell')
  return (
    <main className="h-full">
      <EmptyState
        icon={<KeyRound />}
        title={t('noSession.title')}
        actions={
          <code className="px-12 py-6 border border-line rounded bg-sunken code-s-loose select-all">
            {COMMAND}
          </code>
        }
      >
        {t('noSession.text')} {t('noSession.tunnel')}
      </EmptyState>
    </main>
  )
}

/** Applies theme and language of the settings; `system` follows the system. */
async function followAppearance(): Promise<void> {
  // The last appearance: waiting for the host's answer would flash another theme.
  let appearance = remembered<Appearance>(KEY, readAppearance, { theme: 'system', language: 'system' })
  const apply = () => {
    applyTheme(appearance.theme)
    void changeLanguage(appearance.language)
  }
  applyTheme(appearance.theme)
  await setUpLanguage(appearance.language, FIRST_TEXTS, TEXT_FILES)
  dark().addEventListener('change', apply)
  window.addEventListener('languagechange', apply)
  useSettings.subscribe(({ settings }) => {
    if (!settings || settings.appearance === appearance) return
    appearance = settings.appearance
    remember(KEY, appearance)
    apply()
  })
}

/** Renders the window for a platform; the entry file calls it once. */
export function startWindow(platform: Platform): void {
  attach(platform)
  const inItsLanguage = followAppearance()
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
  // Falls back to English when other texts cannot be loaded.
  void inItsLanguage.finally(() =>
    draw(
      <Guard whole>
        <App />
      </Guard>,
    ),
  )
}

/** Renders the page for a browser without a session: it sends no request and explains how to sign in. */
export function startWithoutSession(): void {
  void followAppearance().finally(() => draw(<NoSession />))
}

function draw(page: ReactNode): void {
  const root = document.getElementById('root')
  // A transition renders in slices, so that the first page of rows can arrive in between.
  if (root) startTransition(() => createRoot(root).render(page))
}

/** English texts of the first render. Others load with their screen, Spanish ones with the language. The host sends refusals in English. */
const FIRST_TEXTS = { common, components, errors, refusals: {}, shell, stream }

const FILES = import.meta.glob<Texts>(
  [
    '../**/texts/*/*.json',
    '!../shared/texts/en/{common,components,errors}.json',
    '!../app/texts/en/shell.json',
    '!../features/stream/texts/en/stream.json',
  ],
  { import: 'default' },
)

async function spanishRefusals(): Promise<Texts> {
  const [own, sandbox] = await Promise.all([
    import('#contract/refusals-es.json'),
    import('@/shared/i18n/sandbox-refusals.es.json'),
  ])
  return { ...own.default, sandbox: sandbox.default }
}

/** Loads a namespace in a language, by `en/shell` and the like. */
const TEXT_FILES: TextFiles = new Map([
  ...Object.entries(FILES).map(
    ([path, load]) => [path.split('/').slice(-2).join('/').replace('.json', ''), load] as const,
  ),
  ['es/refusals', spanishRefusals] as const,
])
