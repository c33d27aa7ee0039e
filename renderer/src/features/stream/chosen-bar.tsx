import { ChevronDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useKeyHint } from '@/shared/components/action-keys.tsx'
import { Button } from '@/shared/components/button.tsx'
import { LatePopup } from '@/shared/components/late-popup.tsx'
import { DELIVERY } from '@/shared/deliveries/actions.ts'
import { useList } from '@/shared/deliveries/list.ts'
import { late } from '@/shared/i18n/texts.ts'
import { focusGrid } from '@/shared/live/focus.ts'
import { useChosen } from '@/shared/live/pointing.ts'
import { STREAM } from './actions.ts'

const CopyMenu = late(['order'], async () => (await import('@/shared/deliveries/copy-menu.tsx')).CopyMenu)

/** A line below the list, so that it covers no row and moves none. */
export const LIST_BAR =
  'flex flex-wrap flex-none items-center gap-6 px-12 py-4 border-t border-line bg-panel text-fg-2 text-s tabular-nums'

export function ChosenBar() {
  const { t } = useTranslation('stream')
  const hint = useKeyHint()
  const all = useChosen((s) => s.all)
  const some = useChosen((s) => s.ids.size)
  const total = useList().total
  const count = all ? total : some
  if (count < 2) return null
  return (
    <div className={LIST_BAR}>
      <span role="status" className="mr-6 text-fg font-medium">
        {t('chosen.count', { count })}
      </span>
      <Button small variant="primary" kbd={hint(DELIVERY.replay)} onClick={() => DELIVERY.replay.run()}>
        {t('chosen.replay')}
      </Button>
      <Button small kbd={hint(DELIVERY.replaySheet)} onClick={() => DELIVERY.replaySheet.run()}>
        {t('chosen.options')}
      </Button>
      {count === 2 ? (
        <Button small kbd={hint(DELIVERY.compare)} onClick={() => DELIVERY.compare.run()}>
          {t('chosen.compare')}
        </Button>
      ) : null}
      <Button small kbd={hint(DELIVERY.tags)} onClick={() => DELIVERY.tags.run()}>
        {t('chosen.tags')}
      </Button>
      <Button small kbd={hint(DELIVERY.note)} onClick={() => DELIVERY.note.run()}>
        {t('chosen.note')}
      </Button>
      <LatePopup
        trigger={(press) => (
          <Button small icon={<ChevronDown />} onClick={press}>
            {t('chosen.copy')}
          </Button>
        )}
      >
        {(open) => <CopyMenu defaultOpen={open} />}
      </LatePopup>
      <Button small kbd={hint(DELIVERY.delete)} onClick={() => DELIVERY.delete.run()}>
        {t('chosen.delete')}
      </Button>
      <Button
        small
        variant="quiet"
        kbd={hint(STREAM.close)}
        onClick={() => {
          useChosen.getState().clear()
          focusGrid()
        }}
      >
        {t('chosen.clear')}
      </Button>
    </div>
  )
}
