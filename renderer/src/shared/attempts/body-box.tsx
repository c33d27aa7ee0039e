import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type BodySource, type FailedBody, isOpen, type OpenBody } from '@/shared/body/open-body.ts'
import { PartialNotice } from '@/shared/body/partial-notice.tsx'
import type { BodyView } from '@/shared/body/protocol.ts'
import { RawView } from '@/shared/body/raw-view.tsx'
import { useOpenBody, useWhole } from '@/shared/body/use-whole.ts'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { api } from '@/shared/live/api.ts'
import styles from './attempts.module.css'

/** The body of an attempt's request or of its answer. */
export function attemptBody(id: number, of: 'request' | 'answer'): BodySource {
  return {
    key: `attempt/${id}/${of}`,
    read: (from, length) => api.call('attempts.body', { id, of, from, length }),
  }
}

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

/** A body in a box of its own, in the views of the Raw tab. */
export function BodyBox({ source }: { readonly source: BodySource }) {
  const begun = useOpenBody(source)
  return (
    <div className={cx(styles.body, 'flex h-240 mx-14 mt-4 overflow-hidden border border-line rounded')}>
      {begun ? <Opened begun={begun} /> : <Loading />}
    </div>
  )
}

function Opened({ begun }: { readonly begun: OpenBody | FailedBody }) {
  const whole = useWhole(begun)
  const [chosen, setChosen] = useState<BodyView | null>(null)
  const { body } = whole
  if (!isOpen(body)) return <p className={styles.note}>{body.problem}</p>
  return (
    <div className="flex flex-col h-full min-w-0 min-h-0">
      <PartialNotice whole={whole} />
      <RawView key={body.source.key} body={body} chosen={chosen} onChoose={setChosen} />
    </div>
  )
}
