import { Tooltip as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { floatingLayer } from './floating.ts'
import { Kbd } from './kbd.tsx'
import styles from './tooltip.module.css'

export interface TooltipProps {
  readonly content: ReactNode
  readonly kbd?: string
  readonly side?: 'top' | 'right' | 'bottom' | 'left'
  /** One element that takes a ref and focus. */
  readonly children: ReactElement
}

/** A description on hover and on keyboard focus; Esc hides it. Never the only place of a fact. */
export function Tooltip({ content, kbd, side = 'bottom', children }: TooltipProps) {
  return (
    <Radix.Provider delayDuration={450} disableHoverableContent>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal container={floatingLayer()}>
          <Radix.Content className={styles.tooltip} side={side} sideOffset={6} collisionPadding={8}>
            {content}
            {kbd === undefined ? null : <Kbd>{kbd}</Kbd>}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
