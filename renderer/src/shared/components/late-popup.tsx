import { type ComponentPropsWithRef, type ReactNode, Suspense, useEffect, useState } from 'react'

/** Resolves when the window shows what it was opened for: what can come later waits for it. */
const { promise: firstDraw, resolve } = Promise.withResolvers<void>()

/** Under this name the moment is found in the page's timings, by tools and by `npm run bench -- browse`. */
const FIRST_DRAW = 'acuse-first-draw'

export function noteFirstDraw(): void {
  if (performance.getEntriesByName(FIRST_DRAW).length > 0) return
  performance.mark(FIRST_DRAW)
  resolve()
}

const AT_LATEST_MS = 1_000

/** False until the window shows what it was opened for and has nothing more pressing to do. */
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
  /** The trigger, which is there at once; pressed, it keeps the wish until the popup's code has come. */
  readonly trigger: (press: () => void) => ReactNode
  /** The same trigger with its popup: a lazy component. */
  readonly children: (defaultOpen: boolean) => ReactNode
}

/** A button whose popup comes with code of its own after the first rows; nothing moves when it does, and no press is lost. */
export function LatePopup({ trigger, children }: LatePopupProps) {
  const [pressed, setPressed] = useState(false)
  const idle = useIdle()
  const plain = trigger(() => setPressed(true))
  return idle || pressed ? <Suspense fallback={plain}>{children(pressed)}</Suspense> : plain
}

interface PopupButtonProps extends ComponentPropsWithRef<'button'> {
  readonly popup?: 'dialog' | 'menu'
}

/** The button of a popup, also before the popup's code is there: the popup says then whether it is open. */
export function PopupButton({ popup = 'dialog', ...props }: PopupButtonProps) {
  return <button type="button" aria-haspopup={popup} aria-expanded={false} {...props} />
}
