import type { ReactNode } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Refused } from './refused.tsx'
import type { Action } from './use-action.ts'

export interface ConfirmActionProps {
  readonly action: Action
  readonly title: string
  /** A verb that says what happens. */
  readonly confirmLabel: string
  /** What will happen, with its figures. */
  readonly children: ReactNode
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Asks before something that cannot be undone. Where the host refuses it, the question stays and says why. */
export function ConfirmAction({ action, children, ...asked }: ConfirmActionProps) {
  return (
    <ConfirmDialog danger busy={action.busy} {...asked}>
      {children}
      <Refused refusal={action.refusal} />
    </ConfirmDialog>
  )
}
