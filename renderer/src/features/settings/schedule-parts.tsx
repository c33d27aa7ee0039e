import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schedule, ScheduleState } from '#contract/schedule.ts'
import { Button } from '@/shared/components/button.tsx'
import { FormPart } from '@/shared/components/form-dialog.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { useRoute } from '@/shared/live/route.ts'
import { useStatus } from '@/shared/live/status.ts'
import { askForNotices, noticePermission } from '@/shared/platform/web.ts'
import { useScheduleWords } from './schedule-words.ts'
import { useSchedules } from './schedules.ts'
import styles from './settings.module.css'

export interface LastRunProps {
  /** Undefined before there is a schedule. */
  readonly state: ScheduleState | undefined
  readonly busy: boolean
  readonly onRun: () => void
  readonly onClose: () => void
}

/** What the last run came to, and a run at once. */
export function LastRun({ state, busy, onRun, onClose }: LastRunProps) {
  const { t } = useTranslation('schedules')
  const words = useScheduleWords()
  const go = useRoute((s) => s.go)
  const [sweep] = state?.last?.sweeps ?? []
  return (
    <FormPart title={t('dialog.last')}>
      <p role="status" className="text-s tabular-nums leading-[1.5]">
        {state?.running ? (
          <>
            <Spinner /> {words.short(state)}
          </>
        ) : state ? (
          words.line(state)
        ) : (
          t('result.never')
        )}
      </p>
      <div className="flex gap-6">
        <Button disabled={busy || state?.running === true} onClick={onRun}>
          {t('dialog.runNow')}
        </Button>
        {sweep === undefined ? null : (
          <Button
            onClick={() => {
              onClose()
              go('reconcile', `sweep-${sweep}`)
            }}
          >
            {t('dialog.show')}
          </Button>
        )}
      </div>
    </FormPart>
  )
}

/** One line under a connection: when it is swept, and the last result. */
export function ScheduleFacts({ schedule }: { readonly schedule: Schedule | undefined }) {
  const { t } = useTranslation('schedules')
  const words = useScheduleWords()
  const state = useSchedules((s) =>
    s.schedules?.find((one) => one.schedule.connection === schedule?.connection),
  )
  if (!schedule) return null
  return (
    <div className="text-s tabular-nums leading-[1.5]">
      <p>{schedule.enabled ? words.times(schedule) : t('short.off', { name: schedule.connection })}</p>
      {state?.last ? <p>{words.result(state)}</p> : null}
    </div>
  )
}

/** The browser's permission is asked for here, by a button, and nowhere else; the desktop app needs none. */
export function NoticesAllowed() {
  const { t } = useTranslation('schedules')
  const native = useStatus((s) => s.info?.capabilities.nativeWindow ?? true)
  const [permission, setPermission] = useState(() => noticePermission(native))
  if (permission === 'unsupported') return null
  if (permission === 'default')
    return (
      <div>
        <Button small onClick={() => void askForNotices().then(setPermission)}>
          {t('dialog.allow')}
        </Button>
      </div>
    )
  return <p className={styles.text}>{t(permission === 'granted' ? 'dialog.allowed' : 'dialog.denied')}</p>
}
