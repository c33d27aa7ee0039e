import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PLUGIN_EVENT_TYPES } from '#catalog/service.ts'
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
import { useFieldErrors } from './fields.ts'
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

/** A thing that was just made, with its credential: this is the one moment in which that is known. */
interface Made {
  readonly id: number
  readonly name: string
  readonly secret: string
}

function KeysCard() {
  const { t } = useTranslation('sandbox')
  const [made, setMade] = useState<Made | null>(null)
  const fieldErrors = useFieldErrors()
  const form = useForm({
    form: (): Form<'sandbox.issue-key', { readonly name: string }> => ({
      command: 'sandbox.issue-key',
      first: { name: '' },
      params: ({ name }) => given({ name: name.trim() }),
      own: ({ name }) => fieldErrors([['name', NAME, name]]),
    }),
    texts: ['sandbox', 'apiKeys'],
    look: () => ({ name: { className: 'flex-[0_1_280px]' } }),
    onSaved: ({ key, ...one }) => {
      setMade({ ...one, secret: key })
      return changed()
    },
    onClose: () => form.reset(),
  })
  const { data, refusal, changed } = useKept('keys', () => api.call('sandbox.keys', {}))
  return (
    <ItemCard<SandboxKey>
      level={3}
      title={t('apiKeys.title')}
      text={t('apiKeys.text')}
      {...(data ? { none: t('apiKeys.none') } : {})}
      say={(word, of) => t(`apiKeys.${word}`, of)}
      refusal={refusal}
      items={data?.keys ?? []}
      line={({ createdAt }) => ({
        lead: <KeyRound size={14} aria-hidden="true" />,
        facts: [t('apiKeys.issued', { when: Date.parse(createdAt) * 1_000 })],
      })}
      remove={async ({ id }) => {
        await api.call('sandbox.revoke-key', { id })
        if (made?.id === id) setMade(null)
        await changed()
      }}
    >
      <OnceShown of="apiKeys" made={made} onDone={() => setMade(null)} />
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

/** Installed plugins: what they are sent, and their tokens in the one moment in which these are known. */
function PluginsCard() {
  const { t } = useTranslation('sandbox')
  const [made, setMade] = useState<Made | null>(null)
  const { data, refusal, changed } = useKept('plugins', () => api.call('sandbox.plugins', {}))
  return (
    <ItemCard<SandboxPlugin>
      level={3}
      title={t('plugins.title')}
      text={t('plugins.text')}
      add={t('plugins.add')}
      {...(data ? { none: t('plugins.none') } : {})}
      say={(word, of) => t(`plugins.${word}`, of)}
      refusal={refusal}
      items={data?.plugins ?? []}
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
      remove={async ({ id }) => {
        await api.call('sandbox.remove-plugin', { id })
        if (made?.id === id) setMade(null)
        await changed()
      }}
    >
      <OnceShown of="plugins" made={made} onDone={() => setMade(null)} />
    </ItemCard>
  )
}

interface PluginDialogProps {
  readonly plugin: SandboxPlugin | null
  /** Takes the token, which is never shown again. */
  readonly onMade: (plugin: Made) => void
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

type PluginDraft = Omit<SandboxPlugin, 'id' | 'createdAt' | 'url'> & { readonly url: string }

function PluginDialog({ plugin, onMade, onSaved, onClose }: PluginDialogProps) {
  const { t } = useTranslation('sandbox')
  const fieldErrors = useFieldErrors()
  const { name, url, active, eventTypes } = {
    name: '',
    url: null,
    active: true,
    eventTypes: PLUGIN_EVENT_TYPES,
    ...plugin,
  }
  const { fields, dialog } = useForm({
    form: (): Form<'sandbox.install-plugin', PluginDraft> => ({
      command: 'sandbox.install-plugin',
      first: { name, url: url ?? '', active, eventTypes },
      params: ({ name, url, ...rest }) => ({ ...rest, name: name.trim(), url: url.trim() || null }),
      own: (draft) =>
        fieldErrors([
          // The sandbox's own may keep its name.
          ['name', { ...NAME, required: true, taken: name === NAME.taken ? '' : NAME.taken }, draft.name],
          ['url', { type: 'url', maxLength: 8_192 }, draft.url],
        ]),
    }),
    texts: ['sandbox', 'plugins'],
    look: () => ({
      eventTypes: { options: PLUGIN_EVENT_TYPES.map((type) => ({ value: type, label: type })) },
    }),
    send: async (params) => {
      if (plugin) await api.call('sandbox.change-plugin', { id: plugin.id, ...params })
      else {
        const { token, ...one } = await api.call('sandbox.install-plugin', params)
        onMade({ ...one, secret: token })
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

interface OnceShownProps {
  readonly of: 'apiKeys' | 'plugins'
  readonly made: Made | null
  /** The user has it: it goes from the screen, and so from everywhere. */
  readonly onDone: () => void
}

function OnceShown({ of, made, onDone }: OnceShownProps) {
  const { t } = useTranslation(['sandbox', 'common'])
  if (!made) return null
  return (
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
        <Button onClick={onDone}>{t('keys.done')}</Button>
      </div>
    </div>
  )
}
