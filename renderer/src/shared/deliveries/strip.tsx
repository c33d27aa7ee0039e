import type { ReactNode } from 'react'
import { Progress } from '@/shared/components/progress.tsx'

/** A line over the list: how far something is, what is said of it, and what can be done. */
export function Strip(props: {
  readonly progress: { readonly label: string; readonly value: number; readonly max: number } | null
  readonly children: ReactNode
}) {
  const { progress, children } = props
  return (
    <div className="flex items-center gap-10 px-12 py-4 border-b border-line bg-panel text-fg-2 text-s tabular-nums">
      {progress ? (
        <div className="w-120">
          <Progress {...progress} />
        </div>
      ) : null}
      {children}
    </div>
  )
}
