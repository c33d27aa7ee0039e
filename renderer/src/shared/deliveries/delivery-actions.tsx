import { GitCompareArrows, ListRestart, RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useKeyHint } from '@/shared/components/action-keys.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { lateView } from '@/shared/i18n/texts.ts'
import { useCopying } from '@/shared/live/layers.ts'
import { DELIVERY } from './actions.ts'
import { compare, replay } from './acts.ts'

const CopyNotice = lateView(['order'], async () => (await import('./copy-notice.tsx')).CopyNotice)

/** How far a copy is, and its result; the code comes with the first copy. */
export function CopyProgress() {
  const copying = useCopying((s) => s.now)
  return copying ? <CopyNotice copying={copying} /> : null
}

export function DeliveryActions({ id }: { readonly id: number }) {
  const { t } = useTranslation('stream')
  const hint = useKeyHint()
  return (
    <>
      <IconButton
        small
        label={t('replay')}
        kbd={hint(DELIVERY.replay)}
        icon={<RotateCcw />}
        onClick={() => replay('now', id)}
      />
      <IconButton
        small
        label={t('replaySheet')}
        kbd={hint(DELIVERY.replaySheet)}
        icon={<ListRestart />}
        onClick={() => replay('sheet', id)}
      />
      <IconButton
        small
        label={t('compareBefore')}
        kbd={hint(DELIVERY.compare)}
        icon={<GitCompareArrows />}
        onClick={() => compare(id)}
      />
    </>
  )
}
