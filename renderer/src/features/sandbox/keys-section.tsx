import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PLUGIN_EVENT_TYPES } from '#catalog/service.ts'
import type { Refusal } from '#contract/errors.ts'
import type { SandboxKey, SandboxPlugin } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { FormDialog, FormPart } from '@/shared/components/form-dialog.tsx'
import { ItemCard } from '@/shared/components/item-list.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { shownUrl } from '@/shared/formats/url.ts'
import { type Form, given } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { api } from '@/shared/live/api.ts'
import { urlProblem } from '@/shared/targets/target-choice.ts'
import { Part } from './part.tsx'
import { useKept } from './sandbox.ts'

/** Credentials for the public routes: API keys for the sync routes, and plugins with tokens. */
export function KeysSection() {
  return (
    <Part name="keys">
      <KeysCard />
      <PluginsCard />
    </Part>
  )
}

/** A new key or plugin with its credential, which the sandbox returns only once. */
interface Made {
  readonly id: number
  readonly name: string
  readonly secret: string
}

/** A list of keys or plugins, and the new one whose credential is shown. */
function useCredentials<T extends { readonly id: number }>(
  of: 'apiKeys' | 'plugins',
  read: () => Promise<readonly T[]>,
  take: (item: T) => Promise<unknown>,
) {
  const { t } = useTranslation(['sandbox', 'common'])
  const { data: items, refusal, changed } = useKept(of === 'apiKeys' ? 'keys' : of, read)
  const [made, setMade] = useState<Made | null>(null)
  return {
    changed,
    setMade,
    card: {
      level: 3,
      title: t(`${of}.title`),
      text: t(`${of}.text`),
      ...(items ? { none: t(`${of}.none`) } : {}),
      say: (word: 'removeTitle' | 'removeText' | 'removeConfirm', named: { name: string }) =>
        t(`${of}.${word}`, named),
      refusal,
      items: items ?? [],
      remove: (item: T) => take(item).then(changed),
    } as const,
    // Removing the item also hides its credential.
    shown:
      made && items?.some(({ id }) => id === made.id) ? (
        <div
          className="grid gap-6 px-12 py-10 border border-accent rounded-8 bg-accent-weak text-s"
          role="status"
        >
          <p>
            <b>{t(`${of}.made`, { name: made.name })}</b> {t('keys.once')}
          </p>
          <div className="flex flex-wrap items-center gap-8">
            <code className="flex-1 min-w-0 text-fg text-s wrap-anywhere select-all">{made.secret}</code>
            <CopyButton text={made.secret} label={t(`${of}.copy`)} variant="primary">
              {t('common:copy')}
            </CopyButton>
            <Button onClick={() => setMade(null)}>{t('keys.done')}</Button>
          </div>
        </div>
      ) : null,
  }
}

/** Whether the name is taken: at each start the sandbox creates a key and a plugin for itself. */
const isTaken = ({ details }: Refusal) =>
  details?.sandbox === 'name-taken' ? (['name', 'nameTaken'] as const) : undefined

function KeysCard() {
  const { t } = useTranslation('sandbox')
  const { changed, setMade, card, shown } = useCredentials<SandboxKey>(
    'apiKeys',
    async () => (await api.call('sandbox.keys', {})).keys,
    ({ id }) => api.call('sandbox.revoke-key', { id }),
  )
  const form = useForm({
    form: (): Form<'sandbox.issue-key', { readonly name: string }> => ({
      command: 'sandbox.issue-key',
      first: { name: '' },
      params: ({ name }) => given({ name: name.trim() }),
      refused: isTaken,
    }),
    texts: ['sandbox', 'apiKeys'],
    look: () => ({ name: { className: 'flex-[0_1_280px]' } }),
    onSaved: ({ key: secret, ...one }) => {
      setMade({ ...one, secret })
      return changed()
    },
    onClose: () => form.reset(),
  })
  return (
    <ItemCard
      {...card}
      line={({ createdAt }) => ({
        lead: <KeyRound size={14} aria-hidden="true" />,
        facts: [t('apiKeys.issued', { when: Date.parse(createdAt) * 1_000 })],
      })}
    >
      {shown}
      <Refused refusal={form.dialog.refusal} />
      <form {...form.bind} className="flex flex-wrap items-end gap-x-10 gap-y-8">
        {form.fields('name')}
        <Button type="submit" icon={<Plus />} busy={form.dialog.busy}>
          {t('apiKeys.issue')}
        </Button>
      </form>
    </ItemCard>
  )
}

/** Installed plugins with their subscriptions, and the token of a new one. */
function PluginsCard() {
  const { t } = useTranslation('sandbox')
  const { changed, setMade, card, shown } = useCredentials<SandboxPlugin>(
    'plugins',
    async () => (await api.call('sandbox.plugins', {})).plugins,
    ({ id }) => api.call('sandbox.remove-plugin', { id }),
  )
  return (
    <ItemCard
      {...card}
      add={t('plugins.add')}
      enabled={{
        of: ({ active }) => active,
        set: ({ id }, active) => api.call('sandbox.change-plugin', { id, active }).then(changed),
      }}
      line={({ url }) =>
        url === null ? { facts: [t('plugins.publishesOnly')] } : { address: shownUrl(url) }
      }
      dialog={({ item }, close) => (
        <PluginDialog plugin={item} onMade={setMade} onSaved={changed} onClose={close} />
      )}
    >
      {shown}
    </ItemCard>
  )
}

interface PluginDialogProps {
  readonly plugin: SandboxPlugin | null
  /** Receives the token, which is shown only once. */
  readonly onMade: (plugin: Made) => void
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

type PluginDraft = Pick<SandboxPlugin, 'name' | 'active' | 'eventTypes'> & { readonly url: string }

function PluginDialog({ plugin, onMade, onSaved, onClose }: PluginDialogProps) {
  const { t } = useTranslation('sandbox')
  const { name = '', url = null, active = true, eventTypes = PLUGIN_EVENT_TYPES } = plugin ?? {}
  const { fields, dialog } = useForm({
    form: (): Form<'sandbox.install-plugin', PluginDraft> => ({
      command: 'sandbox.install-plugin',
      first: { name, url: url ?? '', active, eventTypes },
      params: ({ name, url, ...rest }) => ({ ...rest, name: name.trim(), url: url.trim() || null }),
      refused: isTaken,
      *own({ url }) {
        const problem = url.trim() === '' ? null : urlProblem(url)
        if (problem) yield ['url', problem]
      },
    }),
    texts: ['sandbox', 'plugins'],
    look: () => ({
      eventTypes: { options: PLUGIN_EVENT_TYPES.map((type) => ({ value: type, label: type })) },
    }),
    send: async (params) => {
      if (plugin) await api.call('sandbox.change-plugin', { id: plugin.id, ...params })
      else {
        const { token: secret, ...one } = await api.call('sandbox.install-plugin', params)
        onMade({ ...one, secret })
      }
      await onSaved()
    },
    onClose,
  })
  return (
    <FormDialog
      width={520}
      title={plugin ? t('plugins.editTitle', { name }) : t('plugins.add')}
      action={t(plugin ? 'save' : 'plugins.install')}
      {...dialog}
    >
      {fields('name', 'url')}
      <FormPart title={t('plugins.eventTypes')}>{fields('eventTypes')}</FormPart>
      {fields('active')}
    </FormDialog>
  )
}
