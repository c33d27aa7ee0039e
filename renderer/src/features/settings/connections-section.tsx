import { CalendarClock, Pencil, PlugZap, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connection.ts'
import type { Settings } from '#contract/settings.ts'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { removed } from '@/shared/live/undo.ts'
import { ConnectionDialog } from './connection-dialog.tsx'
import { ConnectionTestDialog } from './connection-test.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { ScheduleFacts } from './schedule-parts.tsx'
import { Section } from './section.tsx'
import styles from './settings.module.css'

type Asked =
  | { readonly what: 'edit'; readonly connection: Connection | null }
  | { readonly what: 'test' | 'remove' | 'schedule'; readonly connection: Connection }

/** They are forgotten with it, so that it cannot be put back as it was. */
const hasSecrets = ({ apiKey, pluginToken }: Connection): boolean =>
  apiKey === 'stored' || pluginToken === 'stored'

/** Accounts of the service, with what a sweep needs of each. */
export function ConnectionsSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation(['settings', 'schedules'])
  const receive = useSettings((s) => s.receive)
  const action = useAction()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => {
    setAsked(null)
    action.clear()
  }
  const { connections, schedules } = settings
  const remove = async (connection: Connection) => {
    const { apiKey: _, pluginToken: __, ...rest } = connection
    const { name } = rest
    const schedule = schedules.find((one) => one.connection === name)
    if (!(await action.run(async () => receive(await api.call('connections.remove', { name }))))) return
    close()
    if (hasSecrets(connection)) return
    await removed('connection', { name }, async () => {
      receive(await api.call('connections.save', rest))
      if (schedule) receive(await api.call('schedules.save', schedule))
    })
  }
  return (
    <Section
      name="connections"
      title={t('connections.title')}
      text={t('connections.text')}
      actions={
        <Button icon={<Plus />} onClick={() => setAsked({ what: 'edit', connection: null })}>
          {t('connections.add')}
        </Button>
      }
    >
      {asked === null ? <Refused refusal={action.refusal} /> : null}
      {connections.length === 0 ? (
        <p className={cx(styles.outcome, 'min-h-18 text-fg text-s tabular-nums')}>{t('connections.none')}</p>
      ) : null}
      <ul className={styles.list}>
        {connections.map((connection) => {
          const { name } = connection
          return (
            <li key={name} className="py-8 border-t border-line-soft last:pb-0">
              <div className="flex items-center gap-6">
                <b className={styles.name}>{name}</b>
                {connection.acceptAnyCertificate ? (
                  <Tag tone="warning">{t('connections.anyCertificateTag')}</Tag>
                ) : null}
                <span className="flex-1" />
                <IconButton
                  label={t('connections.test', { name })}
                  icon={<PlugZap />}
                  onClick={() => setAsked({ what: 'test', connection })}
                />
                <IconButton
                  label={t('schedules:open', { name })}
                  icon={<CalendarClock />}
                  onClick={() => setAsked({ what: 'schedule', connection })}
                />
                <IconButton
                  label={t('connections.edit', { name })}
                  icon={<Pencil />}
                  onClick={() => setAsked({ what: 'edit', connection })}
                />
                <IconButton
                  label={t('connections.removeOf', { name })}
                  icon={<Trash2 />}
                  onClick={() =>
                    hasSecrets(connection)
                      ? setAsked({ what: 'remove', connection })
                      : void remove(connection)
                  }
                />
              </div>
              <div className={styles.url}>{connection.baseUrl}</div>
              <ConnectionFacts connection={connection} />
              <ScheduleFacts schedule={schedules.find((one) => one.connection === name)} />
            </li>
          )
        })}
      </ul>
      {asked?.what === 'edit' ? (
        <ConnectionDialog connection={asked.connection} settings={settings} onClose={close} />
      ) : null}
      {asked?.what === 'test' ? <ConnectionTestDialog connection={asked.connection} onClose={close} /> : null}
      {asked?.what === 'schedule' ? (
        <ScheduleDialog connection={asked.connection} settings={settings} onClose={close} />
      ) : null}
      {asked?.what === 'remove' ? (
        <ConfirmAction
          action={action}
          title={t('connections.removeTitle', { name: asked.connection.name })}
          confirmLabel={t('connections.removeConfirm')}
          onConfirm={() => void remove(asked.connection)}
          onCancel={close}
        >
          {t('connections.removeText')}
        </ConfirmAction>
      ) : null}
    </Section>
  )
}

function ConnectionFacts({ connection }: { readonly connection: Connection }) {
  const { t } = useTranslation('settings')
  const { endpoints, kinds, documentTypes } = connection
  return (
    <p className={styles.facts}>
      <span>{t(`connections.key.${connection.apiKey}`)}</span>
      {connection.pluginToken === 'none' ? null : (
        <span>{t(`connections.token.${connection.pluginToken}`)}</span>
      )}
      <span>
        {endpoints.length === 0
          ? t('connections.everyEndpoint')
          : t('connections.endpointCount', { count: endpoints.length })}
      </span>
      <span>
        {kinds === null ? t('connections.everyKind') : t('connections.kindCount', { count: kinds.length })}
      </span>
      <span>{connection.zone}</span>
      {connection.mapping === null ? null : <span>{t('connections.corrected')}</span>}
      {documentTypes.length === 0 ? null : (
        <span>{t('connections.typesMapped', { count: documentTypes.length })}</span>
      )}
    </p>
  )
}
