import { type ComponentPropsWithRef, type ReactNode, Suspense, useEffect, useState } from 'react'

/** Resolves when the window shows its first content; deferrable work waits for it. */
const { promise: firstDraw, resolve } = Promise.withResolvers<void>()

/** Name of the performance mark, which tools and `npm run bench -- browse` read. */
const FIRST_DRAW = 'acuse-first-draw'

export function noteFirstDraw(): void {
  if (performance.getEntriesByName(FIRST_DRAW).length > 0) return
  performance.mark(FIRST_DRAW)
  resolve()
}

const AT_LATEST_MS = 1_000

/** False until the first content is shown and the window is idle. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    const late = setTimeout(() => setIdle(true), AT_LATEST_MS)
    let asked: number | null = null
    let gone = false
    void firstDraw.then(() => {
      if (!gone) asked = requestIdleCallback(() => setIdle(true))
    })
    return () => {
      gone = true
      clearTimeout(late)
      if (asked !== null) cancelIdleCallback(asked)
    }
  }, [])
  return idle
}

export interface LatePopupProps {
  /** The trigger, drawn at once; a click before the popup's code has loaded is remembered. */
  readonly trigger: (press: () => void) => ReactNode
  /** The same trigger with its popup: a lazy component. */
  readonly children: (defaultOpen: boolean) => ReactNode
}

/** A button whose popup code loads after the first rows, without layout shift and without losing a click. */
export function LatePopup({ trigger, children }: LatePopupProps) {
  const [pressed, setPressed] = useState(false)
  const idle = useIdle()
  const plain = trigger(() => setPressed(true))
  return idle || pressed ? <Suspense fallback={plain}>{children(pressed)}</Suspense> : plain
}

interface PopupButtonProps extends ComponentPropsWithRef<'button'> {
  readonly popup?: 'dialog' | 'menu'
}

/** The button of a popup, usable before the popup's code loads; then the popup controls its expanded state. */
export function PopupButton({ popup = 'dialog', ...props }: PopupButtonProps) {
  return <button type="button" aria-haspopup={popup} aria-expanded={false} {...props} />
}
