import { Monitor, Moon, Sun } from 'lucide-react'
import { useRef } from 'react'
import type { Settings } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { LatePopup } from '@/shared/components/late-popup.tsx'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { useTexts } from '@/shared/i18n/format.ts'
import { late, lateView } from '@/shared/i18n/texts.ts'
import { useConnect } from '@/shared/live/layers.ts'
import { useRoute } from '@/shared/live/route.ts'
import { changeSettings, useSettings } from '@/shared/live/settings.ts'
import { startReceiver, useStatus } from '@/shared/live/status.ts'
import { addressCopier } from './actions.ts'
import { FaultsTrigger } from './faults-trigger.tsx'

/** Faults are rare: their list loads on demand. */
const FaultsMenu = late(['settings'], async () => (await import('./faults-menu.tsx')).FaultsMenu)

/** Schedules are rare: their status loads on demand. */
const ScheduleStatus = lateView(
  ['schedules', 'reconcile'],
  async () => (await import('./schedule-status.tsx')).ScheduleStatus,
)

const STATES = {
  listening: 'text-valid',
  failed: 'text-invalid',
  off: 'text-fg-3',
  starting: 'text-fg-3',
  session: 'text-noted',
  following: 'text-valid',
  unfollowed: 'text-invalid',
} as const
const LINK =
  'h-20 -mx-4 my-0 px-4 py-0 border-0 rounded-4 bg-transparent whitespace-nowrap cursor-default hover:bg-hover hover:text-fg'
const OVER = 'text-warning font-semibold'
const THEMES = { system: Monitor, light: Sun, dark: Moon } as const
const NEXT = { system: 'light', light: 'dark', dark: 'system' } as const

function ReceiverPart() {
  const { t } = useTexts('shell')
  const receiver = useStatus((s) => s.status?.receiver)
  const following = useStatus((s) => s.status?.following)
  const session = useStatus((s) => s.info?.session)
  const connection = useStatus((s) => s.connection)
  const isRefusing = useStatus((s) => s.status?.store.state === 'refusing')
  const copier = useRef<{ copy(): void }>(null)
  addressCopier.useShown({ copy: () => copier.current?.copy() })
  if (!receiver) return null
  const source = following && (following.reason === null ? 'following' : 'unfollowed')
  const state = session ? 'session' : (source ?? receiver.state)
  return (
    <div className="flex items-center flex-[1_1_auto] gap-10 min-w-0">
      <span
        className={cx(
          'inline-flex items-center gap-6 whitespace-nowrap',
          STATES[connection === 'lost' ? 'off' : isRefusing ? 'failed' : state],
        )}
      >
        <i className="size-8 rounded-[50%] bg-current" aria-hidden="true" />
        {t(`receiver.${state}`)}
      </span>
      {receiver.state === 'listening' ? (
        <>
          <button
            type="button"
            className={cx(LINK, 'min-w-0 select-all truncate')}
            title={t('receiver.connect')}
            onClick={() => useConnect.getState().open()}
          >
            {receiver.url}
          </button>
          <span>
            <CopyButton ref={copier} small text={receiver.url} label={t('receiver.copyUrl')} />
          </span>
        </>
      ) : null}
      {state === 'off' ? (
        <button type="button" className={LINK} onClick={() => startReceiver({})}>
          {t('receiver.start')}
        </button>
      ) : null}
    </div>
  )
}

function Faults() {
  const faults = useStatus((s) => s.status?.faults)
  if (!faults || faults.length === 0) return null
  return (
    <LatePopup trigger={(press) => <FaultsTrigger count={faults.length} onClick={press} />}>
      {(open) => <FaultsMenu faults={faults} defaultOpen={open} />}
    </LatePopup>
  )
}

function Schedules() {
  const some = useSettings((s) => (s.settings?.schedules.length ?? 0) > 0)
  return some ? <ScheduleStatus /> : null
}

/** A smaller backlog is gone before a user can read the number. */
const UNFILED_SHOWN = 1_000

function Figures() {
  const { t, format } = useTexts('shell')
  const status = useStatus((s) => s.status)
  const isSession = useStatus((s) => s.info?.session !== undefined)
  const go = useRoute((s) => s.go)
  const setFilter = useFilter((s) => s.set)
  if (!status) return null
  const { counts, receiver } = status
  const refused = receiver.state === 'listening' ? (receiver.refused ?? 0) : 0
  const evicted = counts.rejectedEvicted > 0 ? `. ${t('evicted', { count: counts.rejectedEvicted })}` : ''
  return (
    <div className="flex items-center gap-16 whitespace-nowrap">
      {refused > 0 ? (
        <span className={OVER} title={t('refusedHint')}>
          {t('refused', { count: refused })}
        </span>
      ) : null}
      {counts.unfiled >= UNFILED_SHOWN ? <span>{t('unfiled', { count: counts.unfiled })}</span> : null}
      {counts.unjudged > 0 ? <span>{t('unjudged', { count: counts.unjudged })}</span> : null}
      {counts.rejected > 0 ? (
        <button
          type="button"
          className={LINK}
          title={`${t('rejectedHint')}${evicted}`}
          onClick={() => {
            go('stream')
            setFilter('is:rejected')
          }}
        >
          {t('rejected', { count: counts.rejected })}
          {counts.rejectedEvicted > 0 ? ` (+${format.compact(counts.rejectedEvicted)})` : null}
        </button>
      ) : null}
      <span>{t('stored', { count: counts.stored })}</span>
      {isSession ? null : <Running status={status} />}
    </div>
  )
}

/** Figures that a session file does not have: nothing arrives, and its disk is no budget's. */
function Running({ status: { counts, disk, rate } }: { readonly status: HostStatus }) {
  const { t } = useTexts('shell')
  const go = useRoute((s) => s.go)
  const over = disk.usedBytes >= disk.budgetBytes
  return (
    <>
      <span className="max-[980px]:hidden">{t('today', { count: counts.today })}</span>
      <span className="min-w-[3ch] text-right">{t('rate', { formatted: rate })}</span>
      <button
        type="button"
        className={cx(LINK, over && OVER)}
        title={t('diskHint')}
        onClick={() => go('settings', 'retention')}
      >
        {t('disk', { used: disk.usedBytes, budget: disk.budgetBytes })}
      </button>
    </>
  )
}

function Toggles() {
  const { t } = useTexts('shell')
  const { settings } = useSettings()
  if (!settings) return null
  const { theme, language } = settings.appearance
  const change = (appearance: Partial<Settings['appearance']>) => {
    // A lost connection has its own banner.
    changeSettings('settings.update', { appearance }).catch(() => undefined)
  }
  const Icon = THEMES[theme]
  const label = t('theme', { theme: t(`themes.${theme}`) })
  return (
    <div className="flex items-center gap-6">
      <button
        type="button"
        className={cx(
          'grid place-items-center w-22 h-20 p-0 border-0 rounded-4 bg-transparent text-fg-2 cursor-default',
          'hover:bg-hover hover:text-fg',
          '[&_svg]:size-13',
        )}
        aria-label={label}
        title={label}
        onClick={() => change({ theme: NEXT[theme] })}
      >
        <Icon aria-hidden="true" />
      </button>
      <fieldset
        aria-label={t('language')}
        className="flex items-center border-0 gap-8 font-code pt-0 pr-4 pb-0 pl-0 m-0"
      >
        {(['es', 'en'] as const).map((code) => (
          <button
            key={code}
            type="button"
            lang={code}
            aria-label={code === 'es' ? 'Español' : 'English'}
            title={code === 'es' ? 'Español' : 'English'}
            aria-pressed={document.documentElement.lang === code}
            className={cx(LINK, document.documentElement.lang === code && 'text-fg font-semibold')}
            onClick={() => change({ language: language === code ? 'system' : code })}
          >
            {code}
          </button>
        ))}
      </fieldset>
    </div>
  )
}

export function StatusBar() {
  return (
    <footer
      className={cx(
        'col-span-full flex flex-wrap items-center gap-x-16 gap-y-0 min-h-status pr-8 pl-12 border-t',
        'border-line bg-panel text-fg-2 text-s tabular-nums',
      )}
    >
      <ReceiverPart />
      <Faults />
      <Schedules />
      <Figures />
      <Toggles />
    </footer>
  )
}
