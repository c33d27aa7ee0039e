import { ChevronDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Action } from '@/shared/actions/action.ts'
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

/** A bar below the list, so that it neither covers nor moves a row. */
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
  const act = (
    action: Action,
    name: 'replay' | 'options' | 'compare' | 'tags' | 'note' | 'delete',
    variant?: 'primary',
  ) => (
    <Button small {...(variant && { variant })} kbd={hint(action)} onClick={() => action.run()}>
      {t(`chosen.${name}`)}
    </Button>
  )
  return (
    <div className={LIST_BAR}>
      <span role="status" className="mr-6 text-fg font-medium">
        {t('chosen.count', { count })}
      </span>
      {act(DELIVERY.replay, 'replay', 'primary')}
      {act(DELIVERY.replaySheet, 'options')}
      {count === 2 ? act(DELIVERY.compare, 'compare') : null}
      {act(DELIVERY.tags, 'tags')}
      {act(DELIVERY.note, 'note')}
      <LatePopup
        trigger={(press) => (
          <Button small icon={<ChevronDown />} onClick={press}>
            {t('chosen.copy')}
          </Button>
        )}
      >
        {(open) => <CopyMenu defaultOpen={open} />}
      </LatePopup>
      {act(DELIVERY.delete, 'delete')}
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
