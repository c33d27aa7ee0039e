import type { ReactNode } from 'react'
import { useStatus } from '@/shared/live/status.ts'

export interface EmptyStateProps {
  readonly icon?: ReactNode
  readonly title: string
  /** Shown instead of all else where the window shows a session file, which can get no content. */
  readonly inSession?: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

export function EmptyState({ icon, inSession, ...waiting }: EmptyStateProps) {
  const only = useStatus((s) => s.info?.session) && inSession
  const { title, children, actions }: EmptyStateProps = only ? { title: only } : waiting
  return (
    <div className="grid place-content-center justify-items-center gap-6 h-full min-h-160 px-24 py-32 text-center">
      {icon ? (
        <div className="mb-4 text-fg-3 [&_svg]:size-24 [&_svg]:[stroke-width:1.5]" aria-hidden="true">
          {icon}
        </div>
      ) : null}
      <p className="text-fg heading-m">{title}</p>
      {children ? (
        <div className="max-w-[46ch] text-fg-2 text-s leading-[1.5] text-pretty">{children}</div>
      ) : null}
      {actions ? <div className="flex flex-wrap justify-center gap-8 mt-10">{actions}</div> : null}
    </div>
  )
}
