import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/shared/components/confirm-action.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { carryOut } from '@/shared/deliveries/delete-deliveries.ts'
import { useTrashing } from '@/shared/live/layers.ts'

/** Confirms a deletion, with the number of deliveries. */
export function TrashLayer() {
  const { t } = useTranslation(['trash', 'common'])
  const { asked, refusal, close } = useTrashing()
  const action = useAction()
  if (!asked) return null
  const count = asked.type === 'ids' ? asked.ids.length : asked.count
  const pinned = count === 1 ? 'pinnedOne' : 'pinnedGo'
  const confirm = async () => {
    if (count === 0) return close()
    if (await action.run(() => carryOut(asked))) close()
  }
  return (
    <ConfirmDialog
      danger={count > 0}
      busy={action.busy}
      title={count === 0 ? t('nothing') : t('title', { count })}
      confirmLabel={count === 0 ? t('common:close') : t('confirm', { count })}
      onConfirm={() => void confirm()}
      onCancel={close}
    >
      {asked.type === 'filter' ? (
        <p>
          {asked.filter.trim() === '' ? t('everything') : t('shown', { filter: asked.filter })}{' '}
          {t('upTo', { id: asked.upTo })}
        </p>
      ) : null}
      {asked.pinned === 0 ? null : (
        <p>{t(asked.type === 'ids' ? pinned : 'pinnedStay', { count: asked.pinned })}</p>
      )}
      {count === 0 ? null : <p>{t('kept', { count })}</p>}
      <Refused refusal={action.refusal ?? refusal} />
    </ConfirmDialog>
  )
}
