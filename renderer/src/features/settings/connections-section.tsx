import { CalendarClock, PlugZap } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connection.ts'
import type { ConnectionTest, SyncRoute } from '#contract/reconcile.ts'
import type { Schedule } from '#contract/schedule.ts'
import type { Settings } from '#contract/settings.ts'
import { SYNC_ROUTES } from '#contract/values.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Code } from '@/shared/components/captured.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Definitions } from '@/shared/components/figures.tsx'
import { FormChoice } from '@/shared/components/form-dialog.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { changeSettings } from '@/shared/live/settings.ts'
import { ConnectionDialog } from './connection-dialog.tsx'
import { MAPPED_FIELDS } from './connection-form.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { useSchedules, useScheduleWords } from './schedules.ts'
import { GRIDDED, ListSection } from './section.tsx'

interface ConnectionTestDialogProps {
  readonly connection: Connection
  readonly onClose: () => void
}

function ConnectionTestDialog({ connection, onClose }: ConnectionTestDialogProps) {
  const { t } = useTranslation(['settings', 'common'])
  const { name } = connection
  const action = useAction()
  const [route, setRoute] = useState<SyncRoute>('accounting')
  const [result, setResult] = useState<ConnectionTest | null>(null)
  const test = () =>
    void action.run(async () => {
      setResult(null)
      setResult(await api.call('connections.test', { name, route }))
    })
  return (
    <Dialog
      onClose={onClose}
      width={620}
      title={t('connections.testTitle', { name })}
      description={t('connections.testText')}
      onSubmit={test}
      footer={
        <>
          <Button onClick={onClose}>{t('common:close')}</Button>
          <Button type="submit" variant="primary" busy={action.busy}>
            {t('connections.testNow')}
          </Button>
        </>
      }
    >
      <div className={`grid grid-cols-1 gap-14 ${GRIDDED}`}>
        <FormChoice<SyncRoute>
          label={t('connections.route')}
          value={route}
          onChange={setRoute}
          segments={SYNC_ROUTES.map((value) => ({ value, label: `${value}-sync` }))}
        />
        <Refused refusal={action.refusal} />
        {result ? <TestResult result={result} /> : null}
      </div>
    </Dialog>
  )
}

function TestResult({ result }: { readonly result: ConnectionTest }) {
  const { t } = useTranslation('settings')
  const { ok, status, items, mapping, sample, message } = result
  const came = [
    status === null ? t('connections.testNoAnswer') : t('connections.testStatus', { status }),
    items === null
      ? status !== null && ok
        ? t('connections.testNoPage')
        : null
      : t('connections.testItems', { count: items }),
  ].filter((sentence) => sentence !== null)
  return (
    <>
      <Banner
        tone={ok ? 'info' : 'error'}
        title={t(ok ? 'connections.testOk' : 'connections.testFailed')}
        inset
      >
        {came.join(' ')} {message}
      </Banner>
      {mapping ? (
        <section>
          <h3 className="mb-6 heading-s">{t('connections.testMapping')}</h3>
          <Definitions
            of={MAPPED_FIELDS.map((field) => [
              t(`connections.${field}`),
              mapping[field] === null ? t('connections.notFound') : <code key={field}>{mapping[field]}</code>,
            ])}
          />
        </section>
      ) : null}
      {sample === null ? null : (
        <section>
          <h3 className="mb-6 heading-s">{t(ok ? 'connections.testSample' : 'connections.testBody')}</h3>
          <Code text={sample} copyLabel={t('connections.copySample')} wrap />
        </section>
      )}
    </>
  )
}

export function ConnectionsSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation(['settings', 'schedules'])
  const { connections, schedules } = settings
  const scheduleOf = (name: string) => schedules.find((one) => one.connection === name)
  return (
    <ListSection<Connection, 'test' | 'schedule'>
      of="connections"
      items={connections}
      isGuarded={({ apiKey, pluginToken }) => apiKey === 'stored' || pluginToken === 'stored'}
      remove={({ name }) => changeSettings('connections.remove', { name })}
      putBack={async ({ apiKey: _, pluginToken: __, ...rest }) => {
        const schedule = scheduleOf(rest.name)
        await changeSettings('connections.save', rest)
        if (schedule) await changeSettings('schedules.save', schedule)
      }}
      line={(connection, { ask }) => {
        const { name, endpoints, kinds, documentTypes, pluginToken } = connection
        return {
          tags: connection.acceptAnyCertificate ? (
            <Tag tone="warning">{t('connections.anyCertificateTag')}</Tag>
          ) : null,
          before: (
            <>
              <IconButton
                label={t('connections.test', { name })}
                icon={<PlugZap />}
                onClick={() => ask('test')}
              />
              <IconButton
                label={t('schedules:open', { name })}
                icon={<CalendarClock />}
                onClick={() => ask('schedule')}
              />
            </>
          ),
          address: connection.baseUrl,
          facts: [
            t(`connections.key.${connection.apiKey}`),
            pluginToken !== 'none' && t(`connections.token.${pluginToken}`),
            endpoints.length === 0
              ? t('connections.everyEndpoint')
              : t('connections.endpointCount', { count: endpoints.length }),
            kinds === null ? t('connections.everyKind') : t('connections.kindCount', { count: kinds.length }),
            connection.zone,
            connection.mapping !== null && t('connections.corrected'),
            documentTypes.length > 0 && t('connections.typesMapped', { count: documentTypes.length }),
          ],
          more: <ScheduleFacts schedule={scheduleOf(name)} />,
        }
      }}
      dialog={({ what, item }, onClose) => {
        if (item && what === 'test') return <ConnectionTestDialog connection={item} onClose={onClose} />
        if (item && what === 'schedule')
          return <ScheduleDialog connection={item} settings={settings} onClose={onClose} />
        return <ConnectionDialog {...{ item, settings, onClose }} />
      }}
    />
  )
}

function ScheduleFacts({ schedule }: { readonly schedule: Schedule | undefined }) {
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
