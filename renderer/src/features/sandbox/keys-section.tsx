import { KeyRound, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PLUGIN_EVENT_TYPES, type PluginEventType } from '#catalog/service.ts'
import { keyOptions, pluginOptions, type SandboxKey, type SandboxPlugin } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { FormDialog, FormPart } from '@/shared/components/form-dialog.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SectionCard } from '@/shared/components/section-card.tsx'
import { Checkbox, Switch } from '@/shared/components/toggle.tsx'
import { shownUrl } from '@/shared/formats/url.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { FormField, useFields } from './field-form.tsx'
import { fieldsOf } from './fields.ts'
import { useKeptList } from './kept-list.tsx'
import { Part } from './part.tsx'

/** The sandbox issues a key and a plugin of this name to itself at each start. */
const NAME = { type: 'name', maxLength: 200, taken: 'Acuse' } as const
const KEY = fieldsOf(keyOptions, { name: NAME })
const pluginFields = (taken: string) =>
  fieldsOf(pluginOptions.pick({ name: true, url: true }), {
    name: { ...NAME, taken, required: true },
    url: { type: 'url' },
  })

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

const ITEM = 'flex items-center gap-8 min-h-36 border-t border-line-soft [&>svg]:flex-none [&>svg]:text-fg-3'
const ITEM_NAME =
  'flex-[0_1_280px] min-w-0 overflow-hidden body-m font-medium text-ellipsis whitespace-nowrap'

function KeysCard() {
  const { t } = useTranslation('sandbox')
  const format = useFormat()
  const [issued, setIssued] = useState<(SandboxKey & { readonly key: string }) | null>(null)
  const form = useFields(KEY)
  const kept = useKeptList<SandboxKey>({
    known: ({ keys }) => keys,
    read: async () => (await api.call('sandbox.keys', {})).keys,
    remove: async ({ id }) => {
      await api.call('sandbox.revoke-key', { id })
      if (issued?.id === id) setIssued(null)
    },
    asks: { title: 'keys.revokeTitle', text: 'keys.revokeText', confirm: 'keys.revoke' },
  })
  const issue = () =>
    form.submit(async (args) => {
      setIssued(await api.call('sandbox.issue-key', args))
      form.set('name', '')
      await kept.reload()
    })
  return (
    <SectionCard level={3} title={t('keys.keys')} text={t('keys.keysText')}>
      {kept.refused}
      {kept.items?.length === 0 ? (
        <p className="text-fg-2 text-s leading-[1.45]">{t('keys.noKeys')}</p>
      ) : (
        <ul className="grid">
          {kept.items?.map((key) => (
            <li key={key.id} className={ITEM}>
              <KeyRound size={14} aria-hidden="true" />
              <span className={ITEM_NAME}>{key.name}</span>
              <span className="text-fg-2 text-s">
                {t('keys.issued', { when: format.moment(Date.parse(key.createdAt) * 1_000) })}
              </span>
              <span className="flex-1" />
              <IconButton
                label={t('keys.revokeNamed', { name: key.name })}
                icon={<Trash2 />}
                onClick={() => kept.askRemoval(key)}
              />
            </li>
          ))}
        </ul>
      )}
      {issued ? (
        <OnceShown
          title={t('keys.newKey', { name: issued.name })}
          secret={issued.key}
          copyLabel={t('keys.copyKey')}
          onDone={() => setIssued(null)}
        />
      ) : null}
      <Refused refusal={form.refusal} />
      <form
        noValidate
        className="flex flex-wrap items-end gap-x-10 gap-y-8"
        onSubmit={(event) => {
          event.preventDefault()
          void issue()
        }}
      >
        <FormField
          form={form}
          name="name"
          className="flex-[0_1_280px]"
          label={t('keys.keyName')}
          placeholder={t('keys.keyDefault')}
        />
        <Button type="submit" icon={<Plus />} busy={form.action.busy}>
          {t('keys.issue')}
        </Button>
      </form>
      {kept.question}
    </SectionCard>
  )
}

type Installed = SandboxPlugin & { readonly token: string }

/** Installed plugins: what they are sent, and their tokens in the one moment in which these are known. */
function PluginsCard() {
  const { t } = useTranslation('sandbox')
  const [installed, setInstalled] = useState<Installed | null>(null)
  const kept = useKeptList<SandboxPlugin>({
    known: ({ plugins }) => plugins,
    read: async () => (await api.call('sandbox.plugins', {})).plugins,
    remove: async ({ id }) => {
      await api.call('sandbox.remove-plugin', { id })
      if (installed?.id === id) setInstalled(null)
    },
    asks: { title: 'removeTitle', text: 'keys.removeText', confirm: 'remove' },
  })
  const turn = (id: number, active: boolean) =>
    kept.action.run(async () => {
      await api.call('sandbox.change-plugin', { id, active })
      await kept.reload()
    })
  return (
    <SectionCard level={3} title={t('keys.plugins')} text={t('keys.pluginsText')}>
      {kept.refused}
      {kept.items?.length === 0 ? (
        <p className="text-fg-2 text-s leading-[1.45]">{t('keys.noPlugins')}</p>
      ) : (
        <ul className="grid">
          {kept.items?.map((plugin) => (
            <li key={plugin.id} className={ITEM}>
              <Switch
                label={t('active', { name: plugin.name })}
                hideLabel
                checked={plugin.active}
                onChange={(on) => void turn(plugin.id, on)}
              />
              <span className={ITEM_NAME}>{plugin.name}</span>
              <span className="text-fg-3 code-s [font-variant-ligatures:none] wrap-anywhere select-text">
                {plugin.url === null ? t('keys.publishesOnly') : shownUrl(plugin.url)}
              </span>
              <span className="flex-1" />
              <IconButton
                label={t('edit', { name: plugin.name })}
                icon={<Pencil />}
                onClick={() => kept.edit(plugin)}
              />
              <IconButton
                label={t('keys.removeNamed', { name: plugin.name })}
                icon={<Trash2 />}
                onClick={() => kept.askRemoval(plugin)}
              />
            </li>
          ))}
        </ul>
      )}
      {installed ? (
        <OnceShown
          title={t('keys.newToken', { name: installed.name })}
          secret={installed.token}
          copyLabel={t('keys.copyToken')}
          onDone={() => setInstalled(null)}
        />
      ) : null}
      <div>
        <Button icon={<Plus />} onClick={() => kept.edit(null)}>
          {t('keys.install')}
        </Button>
      </div>
      {kept.edited === undefined ? null : (
        <PluginDialog
          plugin={kept.edited}
          onInstalled={setInstalled}
          onSaved={kept.reload}
          onClose={kept.close}
        />
      )}
      {kept.question}
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

/** A plugin's name, and what it is sent where. */
function PluginDialog({ plugin, onInstalled, onSaved, onClose }: PluginDialogProps) {
  const { t } = useTranslation('sandbox')
  const { name, url } = plugin ?? { name: '', url: null }
  // The sandbox's own may keep its name.
  const form = useFields(pluginFields(name === NAME.taken ? '' : NAME.taken), { name, url: url ?? '' })
  const [types, setTypes] = useState<readonly PluginEventType[]>(plugin?.eventTypes ?? PLUGIN_EVENT_TYPES)
  const [active, setActive] = useState(plugin?.active ?? true)
  const save = async () => {
    const done = await form.submit(async (args) => {
      const settings = { url: null, ...args, eventTypes: [...types], active }
      if (plugin) await api.call('sandbox.change-plugin', { id: plugin.id, ...settings })
      else onInstalled(await api.call('sandbox.install-plugin', settings))
      await onSaved()
    })
    if (done) onClose()
  }
  return (
    <FormDialog
      width={520}
      title={plugin ? t('editTitle', { name }) : t('keys.install')}
      action={t(plugin ? 'save' : 'keys.installAction')}
      busy={form.action.busy}
      refusal={form.refusal}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <FormField form={form} name="name" label={t('name')} />
      <FormField form={form} name="url" label={t('keys.pluginUrl')} hint={t('keys.pluginUrlHint')} />
      <FormPart title={t('keys.pluginTypes')}>
        <div className="grid gap-6 [&_label]:font-code">
          {PLUGIN_EVENT_TYPES.map((type) => (
            <Checkbox
              key={type}
              label={type}
              checked={types.includes(type)}
              onChange={(on) =>
                setTypes(PLUGIN_EVENT_TYPES.filter((one) => (one === type ? on : types.includes(one))))
              }
            />
          ))}
        </div>
      </FormPart>
      <Switch label={t('activeLabel')} checked={active} onChange={setActive} />
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
