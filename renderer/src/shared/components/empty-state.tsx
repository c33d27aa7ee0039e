import type { ReactNode } from 'react'

export interface EmptyStateProps {
  readonly icon?: ReactNode
  readonly title: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
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
