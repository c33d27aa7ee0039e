import { CalendarClock, PlugZap } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connection.ts'
import type { Schedule } from '#contract/schedule.ts'
import type { Settings } from '#contract/settings.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { useScheduling } from '@/shared/live/layers.ts'
import { useSchedules, useScheduleWords } from '@/shared/live/schedules.ts'
import { changeSettings } from '@/shared/live/settings.ts'
import { ConnectionDialog } from './connection-dialog.tsx'
import { ConnectionTestDialog } from './connection-test.tsx'
import { ListSection } from './section.tsx'

export function ConnectionsSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation(['settings', 'schedules'])
  const { connections, schedules } = settings
  const scheduleOf = (name: string) => schedules.find((one) => one.connection === name)
  return (
    <ListSection<Connection, 'test'>
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
                onClick={() => useScheduling.getState().open(name)}
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
        if (item && what === 'test') return <ConnectionTestDialog name={item.name} onClose={onClose} />
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
