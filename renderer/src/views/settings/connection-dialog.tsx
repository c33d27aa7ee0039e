import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/reconcile.ts'
import type { Settings } from '#contract/settings.ts'
import { Button } from '@/components/button.tsx'
import { Dialog } from '@/components/dialog.tsx'
import { TextField } from '@/components/text-field.tsx'
import { api } from '@/live/api.ts'
import { useSettings } from '@/stores/settings.ts'
import {
  type ConnectionDraft,
  connectionDraftOf,
  connectionErrors,
  connectionParamsOf,
  refusedConnectionField,
} from './connection-draft.ts'
import { Belongs, Comparing, Mapping, Secrets, Transport } from './connection-parts.tsx'
import { Refused } from './refused.tsx'
import styles from './settings.module.css'
import { useAction } from './use-action.ts'

export interface ConnectionDialogProps {
  /** Null: a new one. */
  readonly connection: Connection | null
  readonly settings: Settings
  readonly onClose: () => void
}

/** An account of the service. Its secrets go to the host and never come back. */
export function ConnectionDialog({ connection, settings, onClose }: ConnectionDialogProps) {
  const { t } = useTranslation(['settings', 'common'])
  const receive = useSettings((s) => s.receive)
  const action = useAction()
  const [draft, setDraft] = useState(() => connectionDraftOf(connection))
  const [tried, setTried] = useState(false)
  const change = (part: Partial<ConnectionDraft>) => {
    setDraft({ ...draft, ...part })
    action.clear()
  }
  const others = settings.connections.map(({ name }) => name).filter((name) => name !== connection?.name)
  const wrong = connectionErrors(draft, others)
  const refused = refusedConnectionField(action.refusal)
  const errorOf = (field: string) => {
    const error = refused.get(field) ?? (tried ? wrong.get(field) : undefined)
    return error === undefined ? null : t(`connections.errors.${error}`)
  }
  const save = async () => {
    setTried(true)
    const params = connectionParamsOf(draft, connection)
    if (wrong.size > 0 || !params) return
    if (await action.run(async () => receive(await api.call('connections.save', params)))) onClose()
  }
  const part = { draft, change, errorOf, connection }
  return (
    <Dialog
      open
      onClose={onClose}
      width={680}
      title={connection ? t('connections.editTitle', { name: connection.name }) : t('connections.addTitle')}
      onSubmit={() => void save()}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" variant="primary" busy={action.busy}>
            {t('save')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {refused.size > 0 ? null : <Refused refusal={action.refusal} />}
        <div className={styles.row}>
          <TextField
            label={t('connections.name')}
            mono
            maxLength={60}
            value={draft.name}
            onChange={(name) => change({ name })}
            error={errorOf('name')}
            hint={t('connections.nameHint')}
          />
          <TextField
            label={t('connections.baseUrl')}
            mono
            className={styles.wide}
            placeholder="https://"
            value={draft.baseUrl}
            onChange={(baseUrl) => change({ baseUrl })}
            error={errorOf('baseUrl')}
            hint={t('connections.baseUrlHint')}
          />
        </div>
        <Secrets {...part} />
        <Belongs {...part} endpoints={settings.endpoints.map(({ name }) => name)} />
        <Comparing {...part} />
        <Mapping {...part} />
        <Transport {...part} />
      </div>
    </Dialog>
  )
}
