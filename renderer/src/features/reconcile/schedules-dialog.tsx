import { CalendarClock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connection.ts'
import type { Schedule } from '#contract/schedule.ts'
import { Button } from '@/shared/components/button.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { Switch } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { useScheduling } from '@/shared/live/layers.ts'
import { useRoute } from '@/shared/live/route.ts'
import { useSchedules, useScheduleWords } from '@/shared/live/schedules.ts'
import { changeSettings, useSettings } from '@/shared/live/settings.ts'

/** Schedules of all connections: next run, last result, actions. */
export function SchedulesDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['schedules', 'common'])
  const settings = useSettings((s) => s.settings)
  return (
    <Dialog
      onClose={onClose}
      width={720}
      title={t('list.title')}
      description={t('list.text')}
      footer={<Button onClick={onClose}>{t('common:close')}</Button>}
    >
      <ul className="grid">
        {settings?.connections.map((connection) => (
          <Line
            key={connection.name}
            connection={connection}
            schedule={settings.schedules.find((one) => one.connection === connection.name)}
            onClose={onClose}
          />
        ))}
      </ul>
    </Dialog>
  )
}

interface LineProps {
  readonly connection: Connection
  readonly schedule: Schedule | undefined
  readonly onClose: () => void
}

function Line({ connection: { name }, schedule, onClose }: LineProps) {
  const { t } = useTranslation('schedules')
  const words = useScheduleWords()
  const action = useAction()
  const go = useRoute((s) => s.go)
  const state = useSchedules((s) => s.schedules?.find((one) => one.schedule.connection === name))
  const [sweep] = state?.last?.sweeps ?? []
  const edit = () => {
    onClose()
    useScheduling.getState().open(name)
  }
  return (
    <li className="grid gap-6 py-10 border-t border-line-soft text-s tabular-nums leading-[1.5]">
      <div className="flex flex-wrap items-center gap-8">
        <b className="font-medium">{name}</b>
        {schedule ? (
          <Switch
            label={t(schedule.enabled ? 'list.on' : 'list.paused')}
            checked={schedule.enabled}
            disabled={action.busy}
            onChange={(enabled) =>
              void action.run(() => changeSettings('schedules.save', { ...schedule, enabled }))
            }
          />
        ) : (
          <span className="text-fg-2">{t('list.none')}</span>
        )}
        <span className="flex-1" />
        {schedule ? (
          <Button
            small
            disabled={action.busy || state?.running === true}
            onClick={() => void action.run(() => api.call('schedules.run-now', { connection: name }))}
          >
            {t('dialog.runNow')}
          </Button>
        ) : null}
        {sweep === undefined ? null : (
          <Button
            small
            onClick={() => {
              onClose()
              go('reconcile', `sweep-${sweep}`)
            }}
          >
            {t('dialog.show')}
          </Button>
        )}
        <Button small icon={<CalendarClock />} onClick={edit}>
          {t(schedule ? 'list.edit' : 'list.setUp', { name })}
        </Button>
      </div>
      {schedule ? (
        <p className="text-fg-2">
          {words.times(schedule)}
          {state?.nextRun == null ? null : ` · ${t('line.next', { when: state.nextRun * 1_000 })}`}
        </p>
      ) : null}
      {state ? (
        <p role="status" className={state.last?.error ? 'text-invalid' : undefined}>
          {state.running ? (
            <>
              <Spinner /> {words.short(state)}
            </>
          ) : (
            words.result(state)
          )}
          {state.last && !state.running ? ` · ${t('line.last', { when: state.last.endedAt * 1_000 })}` : null}
        </p>
      ) : null}
      <Refused refusal={action.refusal} />
    </li>
  )
}
