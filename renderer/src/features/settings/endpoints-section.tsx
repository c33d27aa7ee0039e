import { Ellipsis, KeyRound, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Endpoint, Settings } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { FormDialog, FormPart, FormRow, WIDE } from '@/shared/components/form-dialog.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Menu } from '@/shared/components/menu.tsx'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { TextArea, TextField } from '@/shared/components/text-field.tsx'
import { Switch } from '@/shared/components/toggle.tsx'
import { useForm } from '@/shared/forms/use-form.ts'
import { HeaderTable } from '@/shared/headers/header-table.tsx'
import { api } from '@/shared/live/api.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { endpointForm } from './forms.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { ListSection } from './section.tsx'

export interface EndpointsSectionProps {
  readonly settings: Settings
  readonly status: HostStatus
}

/** What to give to the service for a path: the address that is listened on, or the one that would be. */
function endpointUrl({ settings, status }: EndpointsSectionProps, path: string): string {
  const { host, port } = settings.receiver
  const base =
    status.receiver.state === 'listening'
      ? status.receiver.url
      : `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}/`
  return base.replace(/\/$/, '') + path
}

/** Named paths of the receiver, each with its own answer and secret. */
export function EndpointsSection(props: EndpointsSectionProps) {
  const { settings } = props
  const { t } = useTranslation('settings')
  const receive = useSettings((s) => s.receive)
  const save = async ({ name, path, enabled, answer }: Endpoint, previousName?: string) =>
    receive(
      await api.call('endpoints.save', {
        ...{ name, path, enabled, answer },
        ...(previousName === undefined ? {} : { previousName }),
      }),
    )
  return (
    <ListSection<Endpoint, 'secret'>
      of="endpoints"
      items={settings.endpoints}
      // Put back without its secret it would take deliveries from any sender.
      isGuarded={({ secret }) => secret !== null}
      remove={async ({ name }) => receive(await api.call('endpoints.remove', { name }))}
      putBack={(endpoint) => save(endpoint)}
      line={(endpoint, { run, ask, remove }) => {
        const { name, path, enabled, answer, secret } = endpoint
        const url = endpointUrl(props, path)
        return {
          tags: (
            <>
              {path === '/' ? <Tag>{t('endpoints.default')}</Tag> : null}
              {enabled ? null : <Tag tone="warning">{t('endpoints.disabled')}</Tag>}
            </>
          ),
          before: (
            <Switch
              hideLabel
              label={t('endpoints.enabledOf', { name })}
              checked={enabled}
              onChange={(on) => void run(() => save({ ...endpoint, enabled: on }, name))}
            />
          ),
          after: (
            <Menu
              align="end"
              trigger={<IconButton label={t('endpoints.more', { name })} icon={<Ellipsis />} />}
              entries={[
                {
                  ...{ type: 'item', label: t('endpoints.secretItem'), icon: <KeyRound /> },
                  onSelect: () => ask('secret'),
                },
                { type: 'separator' },
                {
                  ...{ type: 'item', label: t('endpoints.removeConfirm'), icon: <Trash2 />, danger: true },
                  disabled: path === '/',
                  onSelect: remove,
                },
              ]}
            />
          ),
          address: (
            <>
              {url}
              <CopyButton small text={url} label={t('endpoints.copyUrl', { name })} />
            </>
          ),
          facts: [
            t('endpoints.answers', { status: enabled ? answer.status : 404 }),
            answer.delayMs > 0 && t('endpoints.delayed', { ms: answer.delayMs }),
            secret
              ? t(secret.values === 2 ? 'endpoints.rotating' : 'endpoints.guarded', { header: secret.header })
              : t('endpoints.open'),
          ],
        }
      }}
      dialog={({ what, item }, close) =>
        what === 'secret' && item ? (
          // The dialog changes the endpoint that it shows.
          <SecretDialog
            endpoint={settings.endpoints.find(({ name }) => name === item.name) ?? item}
            onClose={close}
          />
        ) : (
          <EndpointDialog {...props} endpoint={item} onClose={close} />
        )
      }
    />
  )
}

interface EndpointDialogProps extends EndpointsSectionProps {
  /** Null: a new one. */
  readonly endpoint: Endpoint | null
  readonly onClose: () => void
}

/** Name, path and answer of an endpoint. Nothing typed is lost when the host refuses. */
function EndpointDialog({ endpoint, onClose, ...props }: EndpointDialogProps) {
  const { t } = useTranslation(['settings', 'common'])
  const receive = useSettings((s) => s.receive)
  const others = props.settings.endpoints.filter((e) => e.name !== endpoint?.name)
  const { draft, change, errorOf, field, toggle, dialog } = useForm({
    form: () => endpointForm(endpoint, others),
    texts: ['settings', 'endpoints'],
    send: async (params) => receive(await api.call('endpoints.save', params)),
    onSaved: onClose,
  })
  const isDefault = endpoint?.path === '/'
  const lost = draft.status !== null && (draft.status < 200 || draft.status > 299)
  return (
    <FormDialog
      width={600}
      title={endpoint ? t('endpoints.editTitle', { name: endpoint.name }) : t('endpoints.addTitle')}
      action={t('save')}
      {...dialog}
      onClose={onClose}
    >
      <FormRow>
        <TextField {...field('name')} mono maxLength={60} />
        <TextField
          {...field('path')}
          {...(isDefault ? { disabled: true, hint: t('endpoints.pathDefault') } : {})}
          mono
          className={WIDE}
        />
      </FormRow>
      <p className="-mt-8 text-fg-3 code-s [font-variant-ligatures:none] wrap-anywhere">
        {endpointUrl(props, draft.path)}
      </p>
      <Switch {...toggle('enabled')} />
      <FormPart title={t('endpoints.answer')}>
        <FormRow>
          <NumberField {...field('status')} {...(lost ? { hint: t('endpoints.statusLost') } : {})} />
          <NumberField {...field('delayMs')} unit="ms" />
        </FormRow>
        {draft.headers.length > 0 ? (
          <span className="-mb-6 text-fg-2 label-s">{t('endpoints.headers')}</span>
        ) : null}
        <HeaderTable headers={draft.headers} onChange={(headers) => change({ headers })} errorOf={errorOf} />
        <TextArea {...field('body')} mono />
      </FormPart>
    </FormDialog>
  )
}
