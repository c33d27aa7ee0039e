import { CalendarClock, Columns2, History } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connection.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import type { Schedule } from '#contract/schedule.ts'
import { Button } from '@/shared/components/button.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused, Unread } from '@/shared/components/refused.tsx'
import { Screen } from '@/shared/components/screen.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { Switch } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { useScheduling } from '@/shared/live/layers.ts'
import { type ScreenProps, useRoute } from '@/shared/live/route.ts'
import { useSchedules, useScheduleWords } from '@/shared/live/schedules.ts'
import { changeSettings, useSettings } from '@/shared/live/settings.ts'
import { useStatus } from '@/shared/live/status.ts'
import { HistoryDialog } from './history-dialog.tsx'
import { gapOfSection } from './range.ts'
import { RangeForm } from './range-form.tsx'
import { SweepView } from './sweep-view.tsx'
import { useSweeps, watchSweeps } from './sweeps.ts'

const NAME = 'sandbox'

/** Starts the sandbox if it is off, issues an API key and a plugin token, and saves both in a new connection. @throws RefusalError */
async function connectSandbox(): Promise<void> {
  const present = await api.call('sandbox.status', {})
  const status = present.running ? present : await api.call('sandbox.start', {})
  if (!status.running) return
  const { key } = await api.call('sandbox.issue-key', { name: 'Acuse Reconcile' })
  const { token } = await api.call('sandbox.install-plugin', { name: 'Acuse Reconcile' })
  const { apiKey: _key, pluginToken: _token, mapping: _mapping, ...terms } = DEFAULT_CONNECTION
  await api.call('connections.save', {
    ...terms,
    name: NAME,
    baseUrl: status.url,
    apiKey: key,
    pluginToken: token,
    mapping: null,
    // The sandbox sends immediately, so no event is still on its way.
    notYetDue: { ...DEFAULT_CONNECTION.notYetDue, returnedMinutes: 0 },
  })
}

/** Offers to add a connection, or to use the sandbox as one. */
function NoConnection() {
  const { t } = useTranslation('reconcile')
  const go = useRoute((s) => s.go)
  const action = useAction()
  return (
    <EmptyState
      icon={<Columns2 />}
      title={t('empty.title')}
      inSession={t('noSweep.session')}
      actions={
        <>
          <Button data-writes variant="primary" onClick={() => go('settings', 'connections')}>
            {t('empty.action')}
          </Button>
          <Button data-writes busy={action.busy} onClick={() => void action.run(connectSandbox)}>
            {t('empty.sandbox')}
          </Button>
        </>
      }
    >
      <span data-writes>{t('empty.text')}</span>
      <Refused refusal={action.refusal} />
    </EmptyState>
  )
}

/**
 * Compares the service's records with the captured deliveries, and recovers missed events.
 * @param section `sweep-14`; null for the newest. `gap/<from>-<to>` (milliseconds) fills the form with a gap of coverage or a day
 */
export function ReconcileScreen({ section }: ScreenProps) {
  const { t } = useTranslation(['reconcile', 'schedules'])
  const go = useRoute((s) => s.go)
  const settings = useSettings((s) => s.settings)
  const { sweeps, refusal, refresh } = useSweeps()
  const inSession = useStatus((s) => Boolean(s.info?.session))
  const [over, setOver] = useState<'history' | 'schedules' | null>(null)
  useEffect(() => watchSweeps(), [])
  const connections = settings?.connections
  const wanted = Number(/^sweep-(\d+)$/.exec(section ?? '')?.[1] ?? Number.NaN)
  const gap = gapOfSection(section)
  const sweep =
    sweeps?.find(({ id }) => id === wanted) ??
    sweeps?.find((one) => one.connection === gap?.connection) ??
    sweeps?.[0]
  const ready = connections !== undefined && sweeps !== null
  const connection = connections?.find(({ name }) => name === sweep?.connection)
  return (
    <Screen
      title={t('title')}
      className="min-[1270px]:[&:has(form)]:items-start min-[1270px]:[&:has(form)>h1]:mt-13 min-[1270px]:[&:has(form)>span]:mt-20"
      bar={
        <>
          {ready && connections.length > 0 && !inSession ? (
            <RangeForm
              connections={connections}
              sweeps={sweeps}
              gap={gap}
              onStarted={({ id }) => go('reconcile', `sweep-${id}`)}
            />
          ) : null}
          <span className="flex flex-none gap-6 ml-auto">
            {ready && connections.length > 0 ? (
              <Button data-writes icon={<CalendarClock />} onClick={() => setOver('schedules')}>
                {t('schedules:list.open')}
              </Button>
            ) : null}
            {ready && sweeps.length > 0 ? (
              <Button icon={<History />} onClick={() => setOver('history')}>
                {t('history.open')}
              </Button>
            ) : null}
          </span>
        </>
      }
    >
      <div className="flex flex-col min-w-0 min-h-0 overflow-y-auto [&>:last-child:not(section,[role=alert])]:flex-1">
        <Unread refusal={refusal} onRetry={() => void refresh()} />
        {!ready ? (
          refusal ? null : (
            <Loading />
          )
        ) : sweep ? (
          <SweepView key={sweep.id} sweep={sweep} connection={connection ?? null} />
        ) : connections.length === 0 ? (
          <NoConnection />
        ) : (
          <EmptyState icon={<Columns2 />} title={t('noSweep.title')} inSession={t('noSweep.session')}>
            {t('noSweep.text')}
          </EmptyState>
        )}
      </div>
      {over === 'history' && sweeps ? (
        <HistoryDialog sweeps={sweeps} shown={sweep?.id ?? null} onClose={() => setOver(null)} />
      ) : null}
      {over === 'schedules' ? <SchedulesDialog onClose={() => setOver(null)} /> : null}
    </Screen>
  )
}

/** Schedules of all connections: next run, last result, actions. */
function SchedulesDialog({ onClose }: { readonly onClose: () => void }) {
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
