import { CalendarClock, PlugZap } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connection.ts'
import type { Schedule } from '#contract/schedule.ts'
import type { Settings } from '#contract/settings.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { api } from '@/shared/live/api.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { ConnectionDialog } from './connection-dialog.tsx'
import { ConnectionTestDialog } from './connection-test.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { useSchedules, useScheduleWords } from './schedules.ts'
import { ListSection } from './section.tsx'

/** Accounts of the service, with what a sweep needs of each. */
export function ConnectionsSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation(['settings', 'schedules'])
  const receive = useSettings((s) => s.receive)
  const { connections, schedules } = settings
  const scheduleOf = (name: string) => schedules.find((one) => one.connection === name)
  return (
    <ListSection<Connection, 'test' | 'schedule'>
      of="connections"
      items={connections}
      isGuarded={({ apiKey, pluginToken }) => apiKey === 'stored' || pluginToken === 'stored'}
      remove={async ({ name }) => receive(await api.call('connections.remove', { name }))}
      putBack={async ({ apiKey: _, pluginToken: __, ...rest }) => {
        const schedule = scheduleOf(rest.name)
        receive(await api.call('connections.save', rest))
        if (schedule) receive(await api.call('schedules.save', schedule))
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
        return <ConnectionDialog connection={item} settings={settings} onClose={onClose} />
      }}
    />
  )
}

/** One line under a connection: when it is swept, and the last result. */
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
