import { type ReactNode, Suspense, useEffect, useState } from 'react'

export interface LatePopupProps {
  /** The trigger, which is there at once; pressed, it keeps the wish until the popup's code has come. */
  readonly trigger: (press: () => void) => ReactNode
  /** The same trigger with its popup: a lazy component. */
  readonly children: (defaultOpen: boolean) => ReactNode
}

const AT_LATEST_MS = 1_000

/** A button whose popup comes with code of its own after the first rows; nothing moves when it does, and no press is lost. */
export function LatePopup({ trigger, children }: LatePopupProps) {
  const [pressed, setPressed] = useState(false)
  const [asked, setAsked] = useState(false)
  useEffect(() => {
    const idle = requestIdleCallback(() => setAsked(true), { timeout: AT_LATEST_MS })
    return () => cancelIdleCallback(idle)
  }, [])
  const plain = trigger(() => setPressed(true))
  return asked || pressed ? <Suspense fallback={plain}>{children(pressed)}</Suspense> : plain
}
