import { useTranslation } from 'react-i18next'
import type { BodyCheck } from '@/shared/components/body-notes.tsx'
import { ConfirmDialog } from '@/shared/components/confirm-action.tsx'
import { FindingNote } from '@/shared/components/finding-note.tsx'
import styles from './warn-dialog.module.css'

/** More than these say no more. */
const SHOWN = 6

export interface WarnDialogProps {
  readonly check: Extract<BodyCheck, { json: true }>
  readonly onSend: () => void
  readonly onCancel: () => void
}

/** Before a body is sent that the checks would find wrong: what they would find. */
export function WarnDialog({ check, onSend, onCancel }: WarnDialogProps) {
  const { t } = useTranslation('sandbox')
  // Notes break nothing.
  const breaking = check.findings.filter(({ level }) => level !== 'note')
  const rest = breaking.length - SHOWN
  return (
    <ConfirmDialog
      title={t('emit.warn.title')}
      confirmLabel={t('emit.sendAnyway')}
      onConfirm={onSend}
      onCancel={onCancel}
    >
      <p className={styles.text}>{t('emit.warn.text')}</p>
      {breaking.slice(0, SHOWN).map((finding, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: findings of one body have no identity but their place
        <FindingNote key={index} finding={finding} />
      ))}
      {rest > 0 ? <p className={styles.rest}>{t('emit.warn.more', { count: rest })}</p> : null}
    </ConfirmDialog>
  )
}
