import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog.tsx'
import { ActionKeys } from './action-keys.tsx'
import { ACTION_TEXTS, ACTIONS, type Action } from './actions.ts'
import styles from './keyboard-help.module.css'

const KEYED = ACTIONS.filter(({ keys }) => keys !== undefined && keys.length > 0)
const ofList = ({ group }: Action): boolean => group === 'list' || group === 'delivery'

export interface KeyboardHelpProps {
  readonly open: boolean
  readonly onClose: () => void
}

export function KeyboardHelp({ open, onClose }: KeyboardHelpProps) {
  const { t } = useTranslation(ACTION_TEXTS)
  const section = (title: string, actions: readonly Action[]) => (
    <section>
      <h3 className={styles.title}>{title}</h3>
      <dl className={styles.lines}>
        {actions.map(({ id, label, keys }) => (
          <Fragment key={id}>
            <dt>{label(t)}</dt>
            <dd>
              <ActionKeys keys={keys ?? []} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
  return (
    <Dialog open={open} onClose={onClose} title={t('title')} width={680} reading>
      <div className={styles.columns}>
        {section(t('list'), KEYED.filter(ofList))}
        {section(
          t('anywhere'),
          KEYED.filter((action) => !ofList(action)),
        )}
      </div>
    </Dialog>
  )
}
