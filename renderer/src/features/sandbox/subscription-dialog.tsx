import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DELIVERY_METHODS, type DeliveryMethod } from '#catalog/service.ts'
import type { SandboxSubscription } from '#contract/sandbox.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { FormPart } from '@/shared/components/form-dialog.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Select } from '@/shared/components/select.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Switch } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { HeaderTable } from '@/shared/headers/header-table.tsx'
import { api } from '@/shared/live/api.ts'
import { KindsPicker } from './kinds-picker.tsx'
import { useNameError } from './name-error.ts'
import styles from './sandbox.module.css'
import { changeOf, draftOf, errorsOf, isPlainBeyondLoopback } from './subscription-draft.ts'

export interface SubscriptionDialogProps {
  /** null: a new one. */
  readonly subscription: SandboxSubscription | null
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

/** Where to, how and what. Nothing typed is lost when the sandbox refuses. */
export function SubscriptionDialog({ subscription, onSaved, onClose }: SubscriptionDialogProps) {
  const { t } = useTranslation(['sandbox', 'common'])
  const action = useAction()
  const [draft, setDraft] = useState(() => draftOf(subscription))
  const [tried, setTried] = useState(false)
  const change = (part: Partial<typeof draft>) => {
    setDraft({ ...draft, ...part })
    action.clear()
  }
  const wrong = errorsOf(draft)
  const wrongName = useNameError()(draft.name, { optional: true })
  const errorOf = (field: string) => {
    const error = tried ? wrong.get(field) : undefined
    return error === undefined ? null : t(`subscriptions.errors.${error}`)
  }
  const save = async () => {
    setTried(true)
    if (wrong.size > 0 || wrongName) return
    const done = await action.run(async () => {
      await api.call('sandbox.save-subscription', changeOf(draft, subscription?.id))
      await onSaved()
    })
    if (done) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      width={700}
      title={
        subscription ? t('subscriptions.editTitle', { name: subscription.name }) : t('subscriptions.addTitle')
      }
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
        <Refused refusal={action.refusal} />
        <div className={styles.pair}>
          <TextField
            label={t('subscriptions.url')}
            mono
            type="url"
            className={styles.wide}
            placeholder="https://example.com/hook"
            value={draft.url}
            onChange={(url) => change({ url })}
            error={errorOf('url')}
          />
          <Select<DeliveryMethod>
            label={t('subscriptions.method')}
            value={draft.method}
            onChange={(method) => change({ method })}
            options={DELIVERY_METHODS.map((value) => ({ value, label: value }))}
            hint={draft.method === 'GET' ? t('subscriptions.getHint') : undefined}
          />
        </div>
        {isPlainBeyondLoopback(draft.url.trim()) ? (
          <Banner tone="warning" inset>
            {t('subscriptions.plainHttp')}
          </Banner>
        ) : null}
        <TextField
          label={t('subscriptions.name')}
          value={draft.name}
          onChange={(name) => change({ name })}
          error={tried ? wrongName : null}
          hint={t('subscriptions.nameHint')}
        />
        <Switch
          label={t('subscriptions.activeLabel')}
          hint={t('subscriptions.activeHint')}
          checked={draft.active}
          onChange={(active) => change({ active })}
        />
        <FormPart title={t('subscriptions.headers')}>
          <HeaderTable
            headers={draft.headers}
            onChange={(headers) => change({ headers })}
            errorOf={errorOf}
          />
        </FormPart>
        <FormPart title={t('kinds.legend')}>
          <KindsPicker value={draft.kinds} onChange={(kinds) => change({ kinds })} />
        </FormPart>
      </div>
    </Dialog>
  )
}
