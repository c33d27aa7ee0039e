import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PLUGIN_EVENT_TYPES, type PluginEventType } from '#catalog/service.ts'
import type { SandboxPlugin } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { FormPart } from '@/shared/components/form-dialog.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox, Switch } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import styles from './keys.module.css'
import { useNameError } from './name-error.ts'
import common from './sandbox.module.css'
import { urlError } from './subscription-draft.ts'

export interface PluginDialogProps {
  /** null: a new one. */
  readonly plugin: SandboxPlugin | null
  /** Takes the token, which is never shown again. */
  readonly onInstalled: (plugin: SandboxPlugin & { readonly token: string }) => void
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

/** A plugin's name, and what it is sent where. */
export function PluginDialog({ plugin, onInstalled, onSaved, onClose }: PluginDialogProps) {
  const { t } = useTranslation(['sandbox', 'common'])
  const action = useAction()
  const [name, setName] = useState(plugin?.name ?? '')
  const [url, setUrl] = useState(plugin?.url ?? '')
  const [types, setTypes] = useState<readonly PluginEventType[]>(plugin?.eventTypes ?? PLUGIN_EVENT_TYPES)
  const [active, setActive] = useState(plugin?.active ?? true)
  const [tried, setTried] = useState(false)
  // The sandbox's own may keep its name.
  const wrongName = useNameError()(name, { own: name.trim() !== plugin?.name })
  const wrongUrl = url.trim() === '' ? null : urlError(url.trim())
  const save = async () => {
    setTried(true)
    if (wrongName || wrongUrl) return
    const settings = {
      name: name.trim(),
      url: url.trim() === '' ? null : url.trim(),
      eventTypes: types,
      active,
    }
    const done = await action.run(async () => {
      if (plugin) await api.call('sandbox.change-plugin', { id: plugin.id, ...settings })
      else onInstalled(await api.call('sandbox.install-plugin', settings))
      await onSaved()
    })
    if (done) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      width={520}
      title={plugin ? t('keys.editTitle', { name: plugin.name }) : t('keys.installTitle')}
      onSubmit={() => void save()}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" variant="primary" busy={action.busy}>
            {t(plugin ? 'save' : 'keys.installAction')}
          </Button>
        </>
      }
    >
      <div className={common.form}>
        <Refused refusal={action.refusal} />
        <TextField
          label={t('keys.pluginName')}
          value={name}
          onChange={setName}
          error={tried ? wrongName : null}
        />
        <TextField
          label={t('keys.pluginUrl')}
          mono
          value={url}
          onChange={setUrl}
          hint={t('keys.pluginUrlHint')}
          error={tried && wrongUrl ? t(`subscriptions.errors.${wrongUrl}`) : null}
        />
        <FormPart title={t('keys.pluginTypes')}>
          <div className={styles.types}>
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
        <Switch label={t('keys.pluginActiveLabel')} checked={active} onChange={setActive} />
      </div>
    </Dialog>
  )
}
