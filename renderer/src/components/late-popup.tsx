import { type ReactNode, Suspense, useState } from 'react'

export interface LatePopupProps {
  /** The trigger, which is there at once; pressed, it keeps the wish until the popup's code has come. */
  readonly trigger: (press: () => void) => ReactNode
  /** The same trigger with its popup: a lazy component. */
  readonly children: (defaultOpen: boolean) => ReactNode
}

/** A button whose popup comes with code of its own after the first rows; nothing moves when it does, and no press is lost. */
export function LatePopup({ trigger, children }: LatePopupProps) {
  const [pressed, setPressed] = useState(false)
  return <Suspense fallback={trigger(() => setPressed(true))}>{children(pressed)}</Suspense>
}
