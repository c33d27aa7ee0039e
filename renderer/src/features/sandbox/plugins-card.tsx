import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SandboxPlugin } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SectionCard } from '@/shared/components/section-card.tsx'
import { Switch } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { shownUrl } from '@/shared/formats/url.ts'
import { api } from '@/shared/live/api.ts'
import styles from './keys.module.css'
import { OnceShown } from './once-shown.tsx'
import { PluginDialog } from './plugin-dialog.tsx'
import common from './sandbox.module.css'
import { useSandbox } from './sandbox.ts'
import { useKeptList } from './use-kept-list.ts'

const read = async () => (await api.call('sandbox.plugins', {})).plugins

type Asked =
  | { readonly what: 'edit'; readonly plugin: SandboxPlugin | null }
  | { readonly what: 'remove'; readonly plugin: SandboxPlugin }

/** Installed plugins: what they are sent, and their tokens in the one moment in which these are known. */
export function PluginsCard() {
  const { t } = useTranslation('sandbox')
  const known = useSandbox((s) => s.state?.plugins)
  const [installed, setInstalled] = useState<(SandboxPlugin & { readonly token: string }) | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const action = useAction()
  const { items: plugins, refusal, reload } = useKeptList(known, read)
  const remove = async ({ id }: SandboxPlugin) => {
    const done = await action.run(async () => {
      await api.call('sandbox.remove-plugin', { id })
      if (installed?.id === id) setInstalled(null)
      await reload()
    })
    if (done) setAsked(null)
  }
  const turn = (id: number, active: boolean) =>
    action.run(async () => {
      await api.call('sandbox.change-plugin', { id, active })
      await reload()
    })
  return (
    <SectionCard level={3} title={t('keys.plugins')} text={t('keys.pluginsText')}>
      <Refused refusal={refusal} />
      {plugins?.length === 0 ? <p className={common.summary}>{t('keys.noPlugins')}</p> : null}
      {plugins && plugins.length > 0 ? (
        <ul className={styles.list}>
          {plugins.map((plugin) => (
            <li key={plugin.id} className={styles.item}>
              <Switch
                label={t('keys.pluginActive', { name: plugin.name })}
                hideLabel
                checked={plugin.active}
                onChange={(on) => void turn(plugin.id, on)}
              />
              <span className={common.name}>{plugin.name}</span>
              <span className={common.code}>
                {plugin.url === null ? t('keys.publishesOnly') : shownUrl(plugin.url)}
              </span>
              <span className={common.spacer} />
              <IconButton
                label={t('keys.edit', { name: plugin.name })}
                icon={<Pencil />}
                onClick={() => setAsked({ what: 'edit', plugin })}
              />
              <IconButton
                label={t('keys.removeNamed', { name: plugin.name })}
                icon={<Trash2 />}
                onClick={() => setAsked({ what: 'remove', plugin })}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {installed ? (
        <OnceShown
          title={t('keys.newToken', { name: installed.name })}
          secret={installed.token}
          copyLabel={t('keys.copyToken')}
          onDone={() => setInstalled(null)}
        />
      ) : null}
      {asked ? null : <Refused refusal={action.refusal} />}
      <div>
        <Button icon={<Plus />} onClick={() => setAsked({ what: 'edit', plugin: null })}>
          {t('keys.install')}
        </Button>
      </div>
      {asked?.what === 'edit' ? (
        <PluginDialog
          plugin={asked.plugin}
          onInstalled={setInstalled}
          onSaved={reload}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {asked?.what === 'remove' ? (
        <ConfirmAction
          action={action}
          title={t('keys.removeTitle', { name: asked.plugin.name })}
          confirmLabel={t('keys.removeConfirm')}
          onConfirm={() => void remove(asked.plugin)}
          onCancel={() => setAsked(null)}
        >
          {t('keys.removeText')}
        </ConfirmAction>
      ) : null}
    </SectionCard>
  )
}
