import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from '@/shared/components/icon-button.tsx'
import styles from './attempts.module.css'

export interface OpenedPaneProps {
  readonly title: string
  readonly backLabel: string
  readonly onBack: () => void
  /** Another one takes the focus to the heading again. */
  readonly focusOn?: number
  /** In the bar, beside the heading. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** What was opened out of the list of attempts, in its place; the way back is the arrow or Esc. */
export function OpenedPane({ title, backLabel, onBack, focusOn, actions, children }: OpenedPaneProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each that is opened takes the focus
  useEffect(() => heading.current?.focus(), [focusOn])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc for everything inside; the pane itself is no control
    <div
      role="presentation"
      className={styles.pane}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        event.stopPropagation()
        onBack()
      }}
    >
      <div className={styles.bar}>
        <IconButton small label={backLabel} icon={<ArrowLeft />} onClick={onBack} />
        <h3 ref={heading} tabIndex={-1}>
          {title}
        </h3>
        {actions}
      </div>
      {children}
    </div>
  )
}
