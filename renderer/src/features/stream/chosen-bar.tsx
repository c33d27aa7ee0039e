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

/** A narrow bar has no room for the keys. */
const HINTED = '@max-[900px]:[&_kbd]:hidden'

/** The actions on the selection. */
export function ChosenBar() {
  const { t } = useTranslation('stream')
  const hint = useKeyHint()
  const all = useChosen((s) => s.all)
  const some = useChosen((s) => s.ids.size)
  const total = useList().total
  const count = all ? total : some
  const act = (
    action: Action,
    name: 'replay' | 'options' | 'compare' | 'tags' | 'note' | 'export' | 'delete',
    variant?: 'primary',
  ) => (
    <Button
      small
      data-act={action.id}
      className={HINTED}
      {...(variant && { variant })}
      kbd={hint(action)}
      onClick={() => action.run()}
    >
      {t(`chosen.${name}`)}
    </Button>
  )
  return (
    <div className="@container flex flex-wrap flex-1 items-center gap-6 min-w-0">
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
      {act(DELIVERY.export, 'export')}
      {act(DELIVERY.delete, 'delete')}
      <Button
        small
        className={HINTED}
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
