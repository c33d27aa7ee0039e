import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog.tsx'
import { aloneId, useRoute } from '@/stores/route.ts'
import { useStatus } from '@/stores/status.ts'
import { ACTION_TEXTS, type Action, keysOf } from './action.ts'
import { ActionKeys } from './action-keys.tsx'
import { actionsHere } from './actions-here.ts'
import styles from './keyboard-help.module.css'

/** In the window of one delivery the keys of the list are those of the delivery. */
const ofDelivery = ({ group }: Action): boolean => group === 'list' || group === 'delivery'

export interface KeyboardHelpProps {
  readonly open: boolean
  readonly onClose: () => void
}

export function KeyboardHelp({ open, onClose }: KeyboardHelpProps) {
  const { t } = useTranslation(ACTION_TEXTS)
  const native = useStatus((s) => s.info?.capabilities.nativeWindow ?? false)
  const keyed = actionsHere().filter((action) => keysOf(action, native).length > 0)
  const of = (group: Action['group']) => keyed.filter((action) => action.group === group)
  const section = (title: string, actions: readonly Action[]) => (
    <section className={styles.section}>
      <h3 className={styles.title}>{title}</h3>
      <dl className={styles.lines}>
        {actions.map((action) => (
          <Fragment key={action.id}>
            <dt>{action.label(t)}</dt>
            <dd>
              <ActionKeys keys={keysOf(action, native)} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
  return (
    <Dialog open={open} onClose={onClose} title={t('title')} width={680} reading>
      <div className={styles.columns}>
        {aloneId(useRoute.getState()) === null ? section(t('list'), of('list')) : null}
        {section(
          t('groups.delivery'),
          aloneId(useRoute.getState()) === null ? of('delivery') : keyed.filter(ofDelivery),
        )}
        {section(
          t('anywhere'),
          keyed.filter((action) => !ofDelivery(action)),
        )}
      </div>
    </Dialog>
  )
}
