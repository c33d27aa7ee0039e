import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Refusal } from '#contract/errors.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { SegmentedControl, type SegmentedControlProps } from './segmented-control.tsx'

export interface FormDialogProps extends Pick<DialogProps, 'title' | 'description' | 'width' | 'children'> {
  readonly action: string
  /** Label of the cancel button, where it is not Cancel. */
  readonly cancel?: string
  readonly busy: boolean
  /** Secondary actions: before the main button, or at the opposite end. */
  readonly more?: ReactNode
  readonly apart?: ReactNode
  /** Disables saving; the form itself says what is missing. */
  readonly disabled?: boolean
  readonly refusal: Refusal | null
  readonly onSubmit: () => void
  readonly onClose: () => void
}

/** The frame of every form dialog: the refusal on top, one main button and Cancel. */
export function FormDialog(props: FormDialogProps) {
  const {
    action,
    cancel,
    busy,
    disabled = false,
    more,
    apart,
    refusal,
    onSubmit,
    onClose,
    children,
    ...frame
  } = props
  const { t } = useTranslation('common')
  const refusalText = useRefusalText()
  return (
    <Dialog
      {...frame}
      onClose={onClose}
      onSubmit={onSubmit}
      footer={
        <>
          {apart ? <span className="mr-auto">{apart}</span> : null}
          <Button onClick={onClose}>{cancel ?? t('cancel')}</Button>
          {more}
          <Button type="submit" variant="primary" busy={busy} disabled={disabled}>
            {action}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-14">
        {refusal ? (
          <Banner tone="error" inset>
            {refusalText(refusal)}
          </Banner>
        ) : null}
        {children}
      </div>
    </Dialog>
  )
}

export function FormPart({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className="grid grid-cols-1 gap-10 min-w-0 m-0 px-0 pt-12 pb-0 border-0 border-t border-line">
      <legend className="float-left p-0 heading-m">{title}</legend>
      {children}
    </fieldset>
  )
}

export function FormRow({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap gap-x-12 gap-y-10 [&>*]:flex-[1_1_150px]">{children}</div>
}

export const WIDE = 'flex-[2_1_220px]!'

export function FormChoice<T extends string>({
  hint,
  ...choice
}: SegmentedControlProps<T> & { readonly hint?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-12 gap-y-6 [&>span]:min-w-120 [&>span]:text-fg-2 [&>span]:text-s">
      <span aria-hidden="true">{choice.label}</span>
      <SegmentedControl<T> {...choice} />
      {hint ? <p className="basis-full text-fg-3 text-xs leading-[1.45]">{hint}</p> : null}
    </div>
  )
}
