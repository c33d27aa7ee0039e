import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from './icon-button.tsx'

export const OVERLAY =
  'fixed z-overlay inset-0 grid place-items-center p-24 bg-[rgb(10_12_16_/_0.42)] [transition:opacity_100ms_ease-out] starting:opacity-0'
export const DIALOG = cx(
  'flex flex-col w-full max-h-full min-h-0 border border-line-strong rounded-10 bg-panel text-fg',
  'shadow-float outline-none',
  'forced-colors:border-[CanvasText]',
)

export interface DialogProps {
  readonly onClose: () => void
  readonly title: string
  readonly description?: ReactNode
  readonly width?: number
  readonly footer?: ReactNode
  /** Makes body and footer a form, so that Enter in a field submits. */
  readonly onSubmit?: () => void
  /** The dialog holds only text: it takes the focus itself, since keys could not scroll it otherwise. */
  readonly reading?: boolean
  readonly onEscape?: (() => void) | undefined
  readonly children: ReactNode
}

/** Skips the close button, which comes first: its tooltip would open and take the first Esc. `data-begin` marks another beginning, whose text is selected. */
function beginInside(event: Event): void {
  const dialog = event.currentTarget
  if (!(dialog instanceof HTMLElement)) return
  event.preventDefault()
  const chosen = dialog.querySelector<HTMLElement>('[data-begin]')
  const field = chosen ?? dialog.querySelector<HTMLElement>('input:not([hidden]), select, textarea')
  ;(field ?? dialog).focus()
  if (chosen instanceof HTMLInputElement) chosen.select()
}

/** Elements focused before each open or closing dialog, the latest last. */
const openers: (HTMLElement | null)[] = []

/** @returns the element that gets the focus back; a dialog opened from a dialog that closed inherits that one's opener */
function comesFrom(): HTMLElement | null {
  const { activeElement } = document
  const lost = activeElement === null || activeElement === document.body
  return lost || !(activeElement instanceof HTMLElement) ? (openers.at(-1) ?? null) : activeElement
}

/** Gives the focus back when a dialog closes. `note` must run as it opens. */
export function useOpener() {
  const opener = useRef<HTMLElement>(null)
  return {
    note() {
      opener.current = comesFrom()
      openers.push(opener.current)
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      const at = openers.lastIndexOf(opener.current)
      if (at >= 0) openers.splice(at, 1)
      // The act may have moved the focus already; restore it only when no element has it.
      if (document.activeElement === document.body) opener.current?.focus({ preventScroll: true })
    },
  }
}

/** An open completion list inside the dialog handles Esc first. */
function leaveInside(event: Event): void {
  const { activeElement } = document
  if (activeElement?.role === 'combobox' && activeElement.ariaExpanded === 'true') event.preventDefault()
}

/** A modal question. Radix's Overlay is left out: it locks scrolling by an injected <style>, which our content security policy refuses. */
export function Dialog(props: DialogProps) {
  const { onClose, title, description, width = 520, footer, onSubmit, reading, onEscape, children } = props
  const { t } = useTranslation()
  const { note, onCloseAutoFocus } = useOpener()
  const inside = (
    <>
      <div className="flex-1 min-h-0 overflow-y-auto px-18 pt-6 pb-16" tabIndex={reading ? 0 : undefined}>
        {children}
      </div>
      {footer ? (
        <div className="flex flex-wrap justify-end gap-8 px-18 py-12 border-t border-line">{footer}</div>
      ) : null}
    </>
  )
  return (
    <Radix.Root open onOpenChange={(now) => now || onClose()}>
      <Radix.Portal>
        <div className={OVERLAY}>
          <Radix.Content
            className={DIALOG}
            style={{ maxWidth: width }}
            onOpenAutoFocus={(event) => {
              note()
              beginInside(event)
            }}
            onCloseAutoFocus={onCloseAutoFocus}
            onEscapeKeyDown={(event) => {
              leaveInside(event)
              if (!onEscape || event.defaultPrevented) return
              event.preventDefault()
              onEscape()
            }}
            {...(description ? {} : { 'aria-describedby': undefined })}
          >
            <header className="flex items-center justify-between gap-12 pt-12 pr-12 pb-10 pl-18">
              <Radix.Title className="m-0 heading-l">{title}</Radix.Title>
              <IconButton label={t('close')} small icon={<X />} onClick={onClose} />
            </header>
            {description ? (
              <Radix.Description asChild>
                <div className="px-18 pb-8 text-fg-2 text-m leading-[1.45]">{description}</div>
              </Radix.Description>
            ) : null}
            {onSubmit ? (
              <form
                noValidate
                className="contents"
                onSubmit={(event) => {
                  event.preventDefault()
                  onSubmit()
                }}
              >
                {inside}
              </form>
            ) : (
              inside
            )}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}
