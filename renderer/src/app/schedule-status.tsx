import { CalendarClock } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import type { ScheduleState } from '#contract/schedule.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Notice } from '@/shared/components/notice.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import { useRoute } from '@/shared/live/route.ts'
import { tell, useSchedules, useScheduleWords, watchSchedules } from '@/shared/live/schedules.ts'
import { useStatus } from '@/shared/live/status.ts'
import { noticePermission, showNotice } from '@/shared/platform/web.ts'
import styles from './schedule-status.module.css'

function open({ last }: ScheduleState): void {
  tell(null)
  const { go } = useRoute.getState()
  const [sweep] = last?.sweeps ?? []
  if (sweep === undefined) go('settings', 'connections')
  else go('reconcile', `sweep-${sweep}`)
}

/** The schedule to show: a running one, else one with a failure or misses, else the last one run, else the next. */
function foremost(schedules: readonly ScheduleState[]): ScheduleState | undefined {
  const weight = ({ running, last }: ScheduleState): number => {
    if (running) return 4
    if (last?.error) return 3
    return (last?.missing ?? 0) > 0 ? 2 : last ? 1 : 0
  }
  return [...schedules].sort(
    (a, b) => weight(b) - weight(a) || (b.last?.endedAt ?? 0) - (a.last?.endedAt ?? 0),
  )[0]
}

export function ScheduleStatus() {
  const { t } = useTexts('schedules')
  const schedules = useSchedules((s) => s.schedules)
  const told = useSchedules((s) => s.told)
  const native = useStatus((s) => s.info?.capabilities.nativeWindow ?? true)
  const words = useScheduleWords()
  const notify = useEffectEvent((state: ScheduleState) => {
    if (noticePermission(native) !== 'granted') return
    const { connection } = state.schedule
    const title = t('notice.title', { connection })
    showNotice({ title, body: words.result(state), tag: `acuse-${connection}` }, () => open(state))
  })
  useEffect(() => watchSchedules(notify), [])
  const shown = foremost((schedules ?? []).filter(({ schedule, last }) => schedule.enabled || last))
  if (!shown) return null
  const bad = !shown.running && (shown.last?.error || (shown.last?.missing ?? 0) > 0)
  return (
    <>
      <button
        type="button"
        className={cx(
          'inline-flex items-center gap-5 h-20 min-w-0 px-5 py-0 border-0 rounded-4 bg-transparent',
          'whitespace-nowrap cursor-default',
          'hover:bg-hover',
          '[&_svg]:flex-none [&_svg]:size-13',
          bad ? 'text-invalid font-semibold' : 'hover:text-fg',
          told && styles.told,
        )}
        title={words.line(shown)}
        onClick={() => open(shown)}
      >
        <CalendarClock aria-hidden="true" />
        <span className="max-w-[44ch] truncate">{words.short(shown)}</span>
      </button>
      {told ? <ScheduleNotice state={told} /> : null}
    </>
  )
}

/** Stays until the user closes it, as it reports a loss. */
function ScheduleNotice({ state }: { readonly state: ScheduleState }) {
  const { t, format } = useTexts('schedules')
  const words = useScheduleWords()
  return (
    <Notice
      tone="error"
      title={t('notice.title', { connection: state.schedule.connection })}
      onDismiss={() => tell(null)}
      actions={
        <Button small onClick={() => open(state)}>
          {t('notice.open')}
        </Button>
      }
    >
      {words.result(state)}{' '}
      {state.last ? <span className="text-fg-2">{format.moment(state.last.endedAt * 1_000)}</span> : null}
    </Notice>
  )
}
