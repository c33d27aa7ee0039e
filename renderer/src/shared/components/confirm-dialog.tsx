import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import styles from './dialog.module.css'

export interface ConfirmDialogProps {
  readonly title: string
  /** What will happen, with its figures. */
  readonly children: ReactNode
  /** A verb that says what happens, never "OK". */
  readonly confirmLabel: string
  readonly danger?: boolean
  readonly busy?: boolean
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Asks before something that cannot be undone, as long as it is drawn. The focus starts on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, danger = false, busy = false, onConfirm, onCancel } = props
  const { t } = useTranslation()
  return (
    <AlertDialog.Root open onOpenChange={(now) => now || onCancel()}>
      <AlertDialog.Portal>
        <div className={styles.overlay}>
          <AlertDialog.Content className={styles.dialog} style={{ maxWidth: 440 }}>
            <header className={styles.header}>
              <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
            </header>
            <AlertDialog.Description asChild>
              <div className={styles.body}>{children}</div>
            </AlertDialog.Description>
            <div className={styles.footer}>
              <AlertDialog.Cancel asChild>
                <Button>{t('cancel')}</Button>
              </AlertDialog.Cancel>
              <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </div>
          </AlertDialog.Content>
        </div>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
