import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { ACTION_TEXTS, type Action, keysOf, wordsOf } from '@/shared/actions/action.ts'
import { ActionKeys } from '@/shared/components/action-keys.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Dialog } from '@/shared/components/dialog.tsx'
import { useStatus } from '@/shared/live/status.ts'
import { actionsHere, isAlone } from './actions.ts'
import styles from './keyboard-help.module.css'

/** In the window of one delivery the keys of the list are those of the delivery. */
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
      <h3 className={cx(styles.title, 'pb-6 text-fg-3 text-xs font-semibold')}>{title}</h3>
      <dl
        className={cx(
          styles.lines,
          'grid grid-cols-[minmax(0,1fr)_minmax(88px,auto)] items-stretch text-s [&_dt]:text-fg-2 [&_dt]:pr-12',
        )}
      >
        {actions.map((action) => (
          <Fragment key={action.id}>
            <dt>{wordsOf(action.title, t)}</dt>
            <dd>
              <ActionKeys keys={keys(action)} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
  return (
    <Dialog onClose={onClose} title={t('title')} width={680} reading>
      <div className={styles.columns}>
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
