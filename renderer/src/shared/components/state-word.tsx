import type { ReactNode } from 'react'
import { cx } from './cx.ts'

const TONES = {
  busy: 'text-accent-text',
  good: 'text-valid',
  wary: 'text-warning',
  bad: 'text-invalid',
  off: 'text-fg-2',
} as const
export type StateTone = keyof typeof TONES

export function StateWord({ tone, children }: { readonly tone: StateTone; readonly children: ReactNode }) {
  return (
    <span className={cx('inline-flex flex-none items-center gap-6 text-s whitespace-nowrap', TONES[tone])}>
      <i aria-hidden="true" className="rounded-[50%] bg-current size-8 forced-color-adjust-none" />
      {children}
    </span>
  )
}
