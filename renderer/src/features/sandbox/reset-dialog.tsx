import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { isSeed } from './laboratory-draft.ts'
import { clearRuns } from './runs.ts'
import styles from './sandbox.module.css'
import { useSandbox } from './sandbox.ts'

/** Asks before everything that the sandbox has made goes. */
export function ResetDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('sandbox')
  const refresh = useSandbox((s) => s.refresh)
  const action = useAction()
  const [subscriptions, setSubscriptions] = useState(false)
  const [seed, setSeed] = useState<number | null>(null)
  const wrong = seed !== null && !isSeed(seed)
  const reset = async () => {
    if (wrong) return
    const done = await action.run(async () => {
      await api.call('sandbox.reset', { subscriptions, ...(seed === null ? {} : { seed }) })
      clearRuns()
      await refresh()
    })
    if (done) onClose()
  }
  return (
    <ConfirmAction
      action={action}
      title={t('reset.title')}
      confirmLabel={t('reset.confirm')}
      onConfirm={() => void reset()}
      onCancel={onClose}
    >
      <div className={styles.form}>
        <p>{t('reset.text')}</p>
        <Checkbox label={t('reset.subscriptions')} checked={subscriptions} onChange={setSubscriptions} />
        <NumberField
          className={styles.short}
          label={t('reset.seed')}
          hint={t('reset.seedHint')}
          optional
          error={wrong ? t('scenarios.seedError') : null}
          max={0xffff_ffff}
          value={seed}
          onChange={setSeed}
        />
      </div>
    </ConfirmAction>
  )
}
