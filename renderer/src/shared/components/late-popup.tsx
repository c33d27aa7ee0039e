import { type ReactNode, Suspense, useState } from 'react'
import { useIdle } from './use-idle.ts'

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
