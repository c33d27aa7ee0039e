import { GitCompareArrows, ListRestart, RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/icon-button.tsx'
import { compareBefore, replayOne } from './deeds.ts'

/** What is done most with one delivery, beside the list and in a window of its own. */
export function DeliveryActions({ id }: { readonly id: number }) {
  const { t } = useTranslation(['stream', 'shell'])
  return (
    <>
      <IconButton
        small
        label={t('replay')}
        kbd="r"
        icon={<RotateCcw />}
        onClick={() => replayOne(id, 'now')}
      />
      <IconButton
        small
        label={t('replaySheet')}
        kbd={`${t('shell:keyNames.Shift')} R`}
        icon={<ListRestart />}
        onClick={() => replayOne(id, 'sheet')}
      />
      <IconButton
        small
        label={t('compareBefore')}
        kbd="c"
        icon={<GitCompareArrows />}
        onClick={() => compareBefore(id)}
      />
    </>
  )
}
