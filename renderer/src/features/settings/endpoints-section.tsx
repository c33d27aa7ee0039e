import { Dices, Ellipsis, Eye, EyeOff, KeyRound, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Endpoint } from '#contract/settings.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { FormDialog, FormPart } from '@/shared/components/form-dialog.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Menu } from '@/shared/components/menu.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { WeakSecrets } from '@/shared/components/weak-secrets.tsx'
import { useForm } from '@/shared/forms/use-form.tsx'
import { HeaderTable } from '@/shared/headers/header-table.tsx'
import { changeSettings, keepSettings } from '@/shared/live/settings.ts'
import { endpointForm, secretForm } from './forms.ts'
import { type HostParts, type ItemDialogProps, ListSection } from './section.tsx'

const BYTES = 32

/** 256 random bits, in characters that are safe in every header and form. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** The header that a delivery must have. Values go to the host, which never returns them. */
function SecretDialog({ endpoint, onClose }: { readonly endpoint: Endpoint; readonly onClose: () => void }) {
  const { t } = useTranslation(['settings', 'common'])
  const { name, secret } = endpoint
  const [shown, setShown] = useState(false)
  const { action, change, fields, dialog } = useForm({
    form: () => secretForm(endpoint),
    texts: ['settings', 'secret'],
    look: ({ value }) => ({
      value: {
        type: shown ? 'text' : 'password',
        autoComplete: 'new-password',
        trailing: (
          <>
            <IconButton
              small
              label={t(shown ? 'secret.hide' : 'secret.show')}
              icon={shown ? <EyeOff /> : <Eye />}
              onClick={() => setShown(!shown)}
            />
            <IconButton
              small
              label={t('secret.generate')}
              icon={<Dices />}
              onClick={() => {
                change({ value: newSecret() })
                setShown(true)
              }}
            />
            <CopyButton small text={value} label={t('secret.copy')} />
          </>
        ),
      },
    }),
    onSaved: keepSettings,
    onClose,
  })
  const clear = (which: 'previous' | 'all') =>
    void action.run(() => changeSettings('endpoints.clear-secret', { name, which }))
  return (
    <FormDialog
      title={t('secret.title', { name })}
      description={t('secret.text')}
      action={t(secret ? 'secret.rotate' : 'secret.set')}
      {...dialog}
    >
      {secret ? (
        <Banner
          tone="info"
          inset
          actions={
            <>
              {secret.values === 2 ? (
                <Button small onClick={() => clear('previous')}>
                  {t('secret.endRotation')}
                </Button>
              ) : null}
              <Button small variant="danger" onClick={() => clear('all')}>
                {t('secret.remove')}
              </Button>
            </>
          }
        >
          {t(secret.values === 2 ? 'secret.two' : 'secret.one', { header: secret.header })}
        </Banner>
      ) : null}
      {fields('header', 'value')}
      <WeakSecrets />
      {secret ? fields('keepPrevious') : null}
    </FormDialog>
  )
}

/** URL of a path for the service: of the listening receiver, or as configured. */
function endpointUrl({ settings, status }: HostParts, path: string): string {
  const { host, port } = settings.receiver
  const base =
    status.receiver.state === 'listening'
      ? status.receiver.url
      : `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}/`
  return base.replace(/\/$/, '') + path
}

export function EndpointsSection(props: HostParts) {
  const { settings } = props
  const { t } = useTranslation('settings')
  const save = ({ name, path, enabled, answer }: Endpoint, previous = {}) =>
    changeSettings('endpoints.save', { name, path, enabled, answer, ...previous })
  return (
    <ListSection<Endpoint, 'secret'>
      of="endpoints"
      items={settings.endpoints}
      // An undo would restore the endpoint without its secret, open to any sender.
      isGuarded={({ secret }) => secret !== null}
      remove={({ name }) => changeSettings('endpoints.remove', { name })}
      putBack={(endpoint) => save(endpoint)}
      enabled={{
        of: ({ enabled }) => enabled,
        set: (endpoint, enabled) => save({ ...endpoint, enabled }, { previousName: endpoint.name }),
      }}
      line={({ name, path, enabled, answer, secret }, { ask, remove }) => {
        const url = endpointUrl(props, path)
        return {
          tags: (
            <>
              {path === '/' ? <Tag>{t('endpoints.default')}</Tag> : null}
              {enabled ? null : <Tag tone="warning">{t('endpoints.disabled')}</Tag>}
            </>
          ),
          after: (
            <Menu
              align="end"
              trigger={<IconButton label={t('endpoints.more', { name })} icon={<Ellipsis />} />}
              entries={[
                {
                  type: 'item',
                  label: t('endpoints.secretItem'),
                  icon: <KeyRound />,
                  onSelect: () => ask('secret'),
                },
                { type: 'separator' },
                {
                  type: 'item',
                  label: t('endpoints.removeConfirm'),
                  icon: <Trash2 />,
                  danger: true,
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
          // The dialog changes the endpoint that it shows, so take the current one.
          <SecretDialog
            endpoint={settings.endpoints.find(({ name }) => name === item.name) ?? item}
            onClose={close}
          />
        ) : (
          <EndpointDialog {...props} item={item} onClose={close} />
        )
      }
    />
  )
}

/** Form of an endpoint: name, path, answer. A refusal keeps the input. */
function EndpointDialog({ item: endpoint, onClose, ...props }: ItemDialogProps<Endpoint> & HostParts) {
  const { t } = useTranslation(['settings', 'common'])
  const others = props.settings.endpoints.filter((e) => e.name !== endpoint?.name)
  const { draft, change, errorOf, fields, dialog } = useForm({
    form: () => endpointForm(endpoint, others),
    texts: ['settings', 'endpoints'],
    look: ({ answer: { status } }) => ({
      path: {
        wide: true,
        ...(endpoint?.path === '/' ? { disabled: true, hint: t('endpoints.pathDefault') } : {}),
      },
      'answer.status':
        status !== null && (status < 200 || status > 299) ? { hint: t('endpoints.statusLost') } : {},
      'answer.body': { rows: 4 },
    }),
    onSaved: keepSettings,
    onClose,
  })
  const { answer } = draft
  return (
    <FormDialog
      width={600}
      title={endpoint ? t('endpoints.editTitle', { name: endpoint.name }) : t('endpoints.addTitle')}
      action={t('save')}
      {...dialog}
    >
      {fields(['name', 'path'])}
      <p className="-mt-8 text-fg-3 code-s [font-variant-ligatures:none] wrap-anywhere">
        {endpointUrl(props, draft.path)}
      </p>
      {fields('enabled')}
      <FormPart title={t('endpoints.answer')}>
        {fields(['answer.status', 'answer.delayMs'])}
        {answer.headers.length > 0 ? (
          <span className="-mb-6 text-fg-2 label-s">{t('endpoints.headers')}</span>
        ) : null}
        <HeaderTable
          headers={answer.headers}
          onChange={(headers) => change({ answer: { ...answer, headers } })}
          errorOf={errorOf}
        />
        {fields('answer.body')}
      </FormPart>
    </FormDialog>
  )
}
