import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PLUGIN_EVENT_TYPES } from '#catalog/service.ts'
import type { SandboxKey, SandboxPlugin } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { FormDialog, FormPart } from '@/shared/components/form-dialog.tsx'
import { useItems } from '@/shared/components/item-list.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SectionCard } from '@/shared/components/section-card.tsx'
import { Checkbox, Switch } from '@/shared/components/toggle.tsx'
import { shownUrl } from '@/shared/formats/url.ts'
import { type Form, given } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { useTextErrors } from './fields.ts'
import { Part } from './part.tsx'
import { useKept } from './sandbox.ts'

/** The sandbox issues a key and a plugin of this name to itself at each start. */
const NAME = { type: 'name', maxLength: 200, taken: 'Acuse' } as const

/** What the public routes accept: API keys for the sync routes, plugins with tokens of their own. */
export function KeysSection() {
  const { t } = useTranslation('sandbox')
  return (
    <Part title={t('keys.title')} lead={t('keys.lead')}>
      <KeysCard />
      <PluginsCard />
    </Part>
  )
}

function KeysCard() {
  const { t } = useTranslation('sandbox')
  const format = useFormat()
  const [issued, setIssued] = useState<(SandboxKey & { readonly key: string }) | null>(null)
  const textErrors = useTextErrors()
  const form = useForm({
    form: (): Form<'sandbox.issue-key', { readonly name: string }> => ({
      command: 'sandbox.issue-key',
      first: { name: '' },
      params: ({ name }) => given({ name: name.trim() }),
      own: ({ name }) => textErrors({ name: [NAME, name] }),
    }),
    look: () => ({
      name: {
        ...{ label: t('keys.keyName'), placeholder: t('keys.keyDefault') },
        className: 'flex-[0_1_280px]',
      },
    }),
    onSaved: (key) => {
      setIssued(key)
      return changed()
    },
    onClose: () => form.reset(),
  })
  const { data, refusal, changed } = useKept('keys', () => api.call('sandbox.keys', {}))
  const list = useItems<SandboxKey>({
    items: data?.keys ?? [],
    words: {
      remove: (name) => t('keys.revokeNamed', { name }),
      question: (name) => ({
        title: t('keys.revokeTitle', { name }),
        text: t('keys.revokeText'),
        confirm: t('keys.revoke'),
      }),
    },
    line: ({ createdAt }) => ({
      lead: <KeyRound size={14} aria-hidden="true" />,
      facts: [t('keys.issued', { when: format.moment(Date.parse(createdAt) * 1_000) })],
    }),
    remove: async ({ id }) => {
      await api.call('sandbox.revoke-key', { id })
      if (issued?.id === id) setIssued(null)
      await changed()
    },
  })
  return (
    <SectionCard level={3} title={t('keys.keys')} text={t('keys.keysText')}>
      <Refused refusal={refusal} />
      {data?.keys.length === 0 ? <p className="text-fg-2 text-s leading-[1.45]">{t('keys.noKeys')}</p> : null}
      {list.rows}
      {issued ? (
        <OnceShown
          title={t('keys.newKey', { name: issued.name })}
          secret={issued.key}
          copyLabel={t('keys.copyKey')}
          onDone={() => setIssued(null)}
        />
      ) : null}
      <Refused refusal={form.dialog.refusal} />
      <form
        noValidate
        className="flex flex-wrap items-end gap-x-10 gap-y-8"
        onSubmit={(event) => {
          event.preventDefault()
          void form.dialog.onSubmit()
        }}
      >
        {form.fields('name')}
        <Button type="submit" icon={<Plus />} busy={form.dialog.busy}>
          {t('keys.issue')}
        </Button>
      </form>
      {list.asking}
    </SectionCard>
  )
}

type Installed = SandboxPlugin & { readonly token: string }

/** Installed plugins: what they are sent, and their tokens in the one moment in which these are known. */
function PluginsCard() {
  const { t } = useTranslation('sandbox')
  const [installed, setInstalled] = useState<Installed | null>(null)
  const { data, refusal, changed } = useKept('plugins', () => api.call('sandbox.plugins', {}))
  const list = useItems<SandboxPlugin>({
    items: data?.plugins ?? [],
    words: {
      edit: (name) => t('edit', { name }),
      remove: (name) => t('keys.removeNamed', { name }),
      question: (name) => ({
        title: t('removeTitle', { name }),
        text: t('keys.removeText'),
        confirm: t('remove'),
      }),
    },
    line: ({ id, name, url, active }, { run }) => ({
      before: (
        <Switch
          label={t('active', { name })}
          hideLabel
          checked={active}
          onChange={(on) =>
            void run(() => api.call('sandbox.change-plugin', { id, active: on }).then(changed))
          }
        />
      ),
      ...(url === null ? { facts: [t('keys.publishesOnly')] } : { address: shownUrl(url) }),
    }),
    dialog: ({ item }, close) => (
      <PluginDialog plugin={item} onInstalled={setInstalled} onSaved={changed} onClose={close} />
    ),
    remove: async ({ id }) => {
      await api.call('sandbox.remove-plugin', { id })
      if (installed?.id === id) setInstalled(null)
      await changed()
    },
  })
  return (
    <SectionCard
      level={3}
      title={t('keys.plugins')}
      text={t('keys.pluginsText')}
      actions={
        <Button icon={<Plus />} onClick={list.add}>
          {t('keys.install')}
        </Button>
      }
    >
      <Refused refusal={refusal} />
      {data?.plugins.length === 0 ? (
        <p className="text-fg-2 text-s leading-[1.45]">{t('keys.noPlugins')}</p>
      ) : null}
      {list.rows}
      {installed ? (
        <OnceShown
          title={t('keys.newToken', { name: installed.name })}
          secret={installed.token}
          copyLabel={t('keys.copyToken')}
          onDone={() => setInstalled(null)}
        />
      ) : null}
      {list.asking}
    </SectionCard>
  )
}

interface PluginDialogProps {
  /** null: a new one. */
  readonly plugin: SandboxPlugin | null
  /** Takes the token, which is never shown again. */
  readonly onInstalled: (plugin: Installed) => void
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

type PluginDraft = Omit<SandboxPlugin, 'id' | 'createdAt' | 'url'> & { readonly url: string }

/** A plugin's name, and what it is sent where. */
function PluginDialog({ plugin, onInstalled, onSaved, onClose }: PluginDialogProps) {
  const { t } = useTranslation('sandbox')
  const textErrors = useTextErrors()
  const { name } = plugin ?? { name: '' }
  const { draft, change, fields, dialog } = useForm({
    form: (): Form<'sandbox.install-plugin', PluginDraft> => ({
      command: 'sandbox.install-plugin',
      first: {
        ...{ name, url: plugin?.url ?? '', active: plugin?.active ?? true },
        eventTypes: plugin?.eventTypes ?? PLUGIN_EVENT_TYPES,
      },
      params: ({ name, url, ...rest }) => ({ ...rest, name: name.trim(), url: url.trim() || null }),
      own: (draft) =>
        textErrors({
          // The sandbox's own may keep its name.
          name: [{ ...NAME, required: true, taken: name === NAME.taken ? '' : NAME.taken }, draft.name],
          url: [{ type: 'url', maxLength: 8_192 }, draft.url],
        }),
    }),
    look: () => ({
      name: { label: t('name') },
      url: { label: t('keys.pluginUrl'), hint: t('keys.pluginUrlHint') },
      active: { label: t('activeLabel') },
    }),
    send: async (params) => {
      if (plugin) await api.call('sandbox.change-plugin', { id: plugin.id, ...params })
      else onInstalled(await api.call('sandbox.install-plugin', params))
      await onSaved()
    },
    onClose,
  })
  const types = draft.eventTypes
  return (
    <FormDialog
      width={520}
      title={plugin ? t('editTitle', { name }) : t('keys.install')}
      action={t(plugin ? 'save' : 'keys.installAction')}
      {...dialog}
    >
      {fields('name', 'url')}
      <FormPart title={t('keys.pluginTypes')}>
        <div className="grid gap-6 [&_label]:font-code">
          {PLUGIN_EVENT_TYPES.map((type) => (
            <Checkbox
              key={type}
              label={type}
              checked={types.includes(type)}
              onChange={(on) =>
                change({
                  eventTypes: PLUGIN_EVENT_TYPES.filter((one) => (one === type ? on : types.includes(one))),
                })
              }
            />
          ))}
        </div>
      </FormPart>
      {fields('active')}
    </FormDialog>
  )
}

interface OnceShownProps {
  readonly title: string
  readonly secret: string
  readonly copyLabel: string
  /** The user has it: it goes from the screen, and so from everywhere. */
  readonly onDone: () => void
}

/** A credential in the one moment in which it is known. */
function OnceShown({ title, secret, copyLabel, onDone }: OnceShownProps) {
  const { t } = useTranslation(['sandbox', 'common'])
  return (
    <div
      className="grid gap-6 px-12 py-10 border border-accent rounded-8 bg-accent-weak text-s"
      role="status"
    >
      <p>
        <b>{title}</b> {t('keys.once')}
      </p>
      <div className="flex flex-wrap items-center gap-8">
        <code className="flex-1 min-w-0 text-fg text-s wrap-anywhere select-all">{secret}</code>
        <CopyButton text={secret} label={copyLabel} variant="primary">
          {t('common:copy')}
        </CopyButton>
        <Button onClick={onDone}>{t('keys.done')}</Button>
      </div>
    </div>
  )
}
