import { GitCompareArrows, ListRestart, RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Action } from '@/shared/actions/action.ts'
import { useKeyHint } from '@/shared/components/action-keys.tsx'
import { IconButton, type IconButtonProps } from '@/shared/components/icon-button.tsx'
import { DELIVERY } from './actions.ts'
import { compare, replay } from './acts.ts'

/** A button in the details that shows the key of its action. */
export function DetailButton({ of, ...rest }: Omit<IconButtonProps, 'kbd'> & { readonly of: Action }) {
  return <IconButton small data-act={of.id} kbd={useKeyHint()(of)} {...rest} />
}

export function DeliveryActions({ id }: { readonly id: number }) {
  const { t } = useTranslation('stream')
  return (
    <>
      <DetailButton
        of={DELIVERY.replay}
        label={t('replay')}
        icon={<RotateCcw />}
        onClick={() => replay('now', id)}
      />
      <DetailButton
        of={DELIVERY.replaySheet}
        label={t('replaySheet')}
        icon={<ListRestart />}
        onClick={() => replay('sheet', id)}
      />
      <DetailButton
        of={DELIVERY.compare}
        label={t('compareBefore')}
        icon={<GitCompareArrows />}
        onClick={() => compare(id)}
      />
    </>
  )
}
