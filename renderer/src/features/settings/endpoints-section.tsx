import { Ellipsis, KeyRound, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Endpoint, Settings } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Menu } from '@/shared/components/menu.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { Switch } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { removed } from '@/shared/live/undo.ts'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { endpointUrl } from './endpoint-url.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { Section } from './section.tsx'
import styles from './settings.module.css'

export interface EndpointsSectionProps {
  readonly settings: Settings
  readonly status: HostStatus
}
type Asked =
  | { readonly what: 'edit'; readonly endpoint: Endpoint | null }
  | { readonly what: 'secret' | 'remove'; readonly endpoint: Endpoint }

export function EndpointsSection({ settings, status }: EndpointsSectionProps) {
  const { t } = useTranslation('settings')
  const receive = useSettings((s) => s.receive)
  const action = useAction()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  const toggle = (endpoint: Endpoint, enabled: boolean) => {
    const { name, path, answer } = endpoint
    void action.run(async () =>
      receive(await api.call('endpoints.save', { previousName: name, name, path, enabled, answer })),
    )
  }
  const remove = async (endpoint: Endpoint) => {
    const { secret, ...rest } = endpoint
    const { name } = rest
    if (!(await action.run(async () => receive(await api.call('endpoints.remove', { name }))))) return
    close()
    // Put back without its secret it would take deliveries from anybody.
    if (secret) return
    await removed('endpoint', { name }, async () => receive(await api.call('endpoints.save', rest)))
  }
  // The secret's dialog changes the endpoint that it shows.
  const fresh = (endpoint: Endpoint) => settings.endpoints.find((e) => e.name === endpoint.name) ?? endpoint
  return (
    <Section
      name="endpoints"
      title={t('endpoints.title')}
      text={t('endpoints.text')}
      actions={
        <Button icon={<Plus />} onClick={() => setAsked({ what: 'edit', endpoint: null })}>
          {t('endpoints.add')}
        </Button>
      }
    >
      {asked?.what === 'remove' ? null : <Refused refusal={action.refusal} />}
      <ul className={styles.list}>
        {settings.endpoints.map((endpoint) => (
          <li key={endpoint.name} className="py-8 border-t border-line-soft last:pb-0">
            <div className="flex items-center gap-6">
              <b className={styles.name}>{endpoint.name}</b>
              {endpoint.path === '/' ? <Tag>{t('endpoints.default')}</Tag> : null}
              {endpoint.enabled ? null : <Tag tone="warning">{t('endpoints.disabled')}</Tag>}
              <span className="flex-1" />
              <Switch
                hideLabel
                label={t('endpoints.enabledOf', { name: endpoint.name })}
                checked={endpoint.enabled}
                onChange={(enabled) => toggle(endpoint, enabled)}
              />
              <IconButton
                label={t('endpoints.edit', { name: endpoint.name })}
                icon={<Pencil />}
                onClick={() => setAsked({ what: 'edit', endpoint })}
              />
              <Menu
                align="end"
                trigger={
                  <IconButton label={t('endpoints.more', { name: endpoint.name })} icon={<Ellipsis />} />
                }
                entries={[
                  {
                    type: 'item',
                    label: t('endpoints.secretItem'),
                    icon: <KeyRound />,
                    onSelect: () => setAsked({ what: 'secret', endpoint }),
                  },
                  { type: 'separator' },
                  {
                    type: 'item',
                    label: t('endpoints.remove'),
                    icon: <Trash2 />,
                    danger: true,
                    disabled: endpoint.path === '/',
                    onSelect: () =>
                      endpoint.secret ? setAsked({ what: 'remove', endpoint }) : void remove(endpoint),
                  },
                ]}
              />
            </div>
            <div className={styles.url}>
              {endpointUrl(settings, status, endpoint.path)}
              <CopyButton
                small
                text={endpointUrl(settings, status, endpoint.path)}
                label={t('endpoints.copyUrl', { name: endpoint.name })}
              />
            </div>
            <p className={styles.facts}>
              <span>
                {t('endpoints.answers', { status: endpoint.enabled ? endpoint.answer.status : 404 })}
              </span>
              {endpoint.answer.delayMs > 0 ? (
                <span>{t('endpoints.delayed', { ms: endpoint.answer.delayMs })}</span>
              ) : null}
              <span>
                {endpoint.secret
                  ? t(endpoint.secret.values === 2 ? 'endpoints.rotating' : 'endpoints.guarded', {
                      header: endpoint.secret.header,
                    })
                  : t('endpoints.open')}
              </span>
            </p>
          </li>
        ))}
      </ul>
      {asked?.what === 'edit' ? (
        <EndpointDialog endpoint={asked.endpoint} settings={settings} status={status} onClose={close} />
      ) : null}
      {asked?.what === 'secret' ? <SecretDialog endpoint={fresh(asked.endpoint)} onClose={close} /> : null}
      {asked?.what === 'remove' ? (
        <ConfirmAction
          action={action}
          title={t('endpoints.removeTitle', { name: asked.endpoint.name })}
          confirmLabel={t('endpoints.remove')}
          onConfirm={() => void remove(asked.endpoint)}
          onCancel={close}
        >
          {t('endpoints.removeText')}
        </ConfirmAction>
      ) : null}
    </Section>
  )
}
