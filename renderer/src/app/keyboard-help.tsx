import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { ACTION_TEXTS, type Action, keysOf, wordsOf } from '@/shared/actions/action.ts'
import { ActionKeys } from '@/shared/components/action-keys.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { useStatus } from '@/shared/live/status.ts'
import { actionsHere, isAlone } from './actions.ts'

/** All lines have one height, so that both columns align. */
const LINE = 'flex items-center gap-8 min-h-26 border-t border-line-soft'

/** In the window of one delivery the list's keys apply to that delivery. */
const ofDelivery = ({ group }: Action): boolean => group === 'list' || group === 'delivery'

export function KeyboardHelp({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(ACTION_TEXTS)
  const native = useStatus((s) => s.info?.capabilities.nativeWindow ?? false)
  const alone = isAlone()
  const keys = (action: Action) => keysOf(action, { native, alone })
  const keyed = actionsHere().filter((action) => keys(action).length > 0)
  const of = (group: Action['group']) => keyed.filter((action) => action.group === group)
  const section = (title: string, actions: readonly Action[]) => (
    <section className="mb-16">
      <h3 className="pb-6 text-fg-3 text-xs font-semibold break-after-avoid">{title}</h3>
      <dl className="grid grid-cols-[minmax(0,1fr)_minmax(88px,auto)] items-stretch text-s">
        {actions.map((action) => (
          <Fragment key={action.id}>
            <dt className={`${LINE} text-fg-2 pr-12`}>{wordsOf(action.title, t)}</dt>
            <dd className={LINE}>
              <ActionKeys keys={keys(action)} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
  return (
    <Dialog onClose={onClose} title={t('title')} width={680} reading>
      <div className="[columns:270px_2] gap-x-32 pb-4">
        {alone ? null : section(t('list'), of('list'))}
        {section(
          t('groups.delivery'),
          keyed.filter(alone ? ofDelivery : ({ group }) => group === 'delivery'),
        )}
        {section(
          t('anywhere'),
          keyed.filter((action) => !ofDelivery(action)),
        )}
      </div>
    </Dialog>
  )
}
