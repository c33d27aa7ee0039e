import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { DIALOG, OVERLAY, useOpener } from './dialog.tsx'
import { Refused } from './refused.tsx'
import { useAction } from './use-action.ts'

export interface ConfirmDialogProps {
  readonly title: string
  readonly children: ReactNode
  /** A verb for the consequence, never "OK". */
  readonly confirmLabel: string
  /** Instead of "Cancel", where the act itself is a cancelling. */
  readonly cancelLabel?: string
  readonly danger?: boolean
  readonly busy?: boolean
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Confirmation of an irreversible act, shown while mounted. The initial focus is on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, danger = false, busy = false, onConfirm, onCancel } = props
  const { t } = useTranslation()
  const { cancelLabel = t('cancel') } = props
  const { note, onCloseAutoFocus } = useOpener()
  return (
    <AlertDialog.Root open onOpenChange={(now) => now || onCancel()}>
      <AlertDialog.Portal>
        <div className={OVERLAY}>
          <AlertDialog.Content
            aria-modal="true"
            className={DIALOG}
            style={{ maxWidth: 440 }}
            onOpenAutoFocus={note}
            onCloseAutoFocus={onCloseAutoFocus}
          >
            <header className="flex items-center justify-between gap-12 pt-12 pr-12 pb-10 pl-18">
              <AlertDialog.Title className="m-0 heading-l">{title}</AlertDialog.Title>
            </header>
            <AlertDialog.Description asChild>
              <div className="flex-1 min-h-0 overflow-y-auto px-18 pt-6 pb-16">{children}</div>
            </AlertDialog.Description>
            <div className="flex flex-wrap justify-end gap-8 px-18 py-12 border-t border-line">
              <AlertDialog.Cancel asChild>
                <Button>{cancelLabel}</Button>
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

export interface ConfirmActionProps
  extends Pick<ConfirmDialogProps, 'title' | 'confirmLabel' | 'cancelLabel' | 'children'> {
  /** @throws RefusalError */
  readonly work: () => Promise<unknown>
  /** Called after success or cancel. */
  readonly onClose: () => void
}

/** Confirms an irreversible act and carries it out. On a refusal the dialog stays and shows the reason. */
export function ConfirmAction({ work, onClose, children, ...asked }: ConfirmActionProps) {
  const action = useAction()
  const confirm = async () => {
    if (await action.run(work)) onClose()
  }
  return (
    <ConfirmDialog danger busy={action.busy} onConfirm={() => void confirm()} onCancel={onClose} {...asked}>
      {children}
      <Refused refusal={action.refusal} />
    </ConfirmDialog>
  )
}
