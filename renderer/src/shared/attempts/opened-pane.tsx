import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '@/shared/components/cx.ts'
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
      className="flex flex-col h-full min-w-0 min-h-0"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        event.stopPropagation()
        onBack()
      }}
    >
      <div className={cx(styles.bar, 'flex flex-none flex-wrap items-center gap-6 min-h-40 px-14 py-6')}>
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
