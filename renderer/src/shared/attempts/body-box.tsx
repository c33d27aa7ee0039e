import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type BodySource, type FailedBody, isOpen, type OpenBody } from '@/shared/body/open-body.ts'
import type { BodyView } from '@/shared/body/protocol.ts'
import { RawView } from '@/shared/body/raw-view.tsx'
import { PartialNotice, useOpenBody, useWhole } from '@/shared/body/use-whole.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { api } from '@/shared/live/api.ts'

/** Section of an opened pane, with a heading. */
export const PART = 'px-14 pt-12 [&>h4]:m-0 [&>h4]:mb-6 [&>h4]:heading-s'
export const FACTS = 'flex flex-wrap items-center gap-x-10 gap-y-4 text-s'
export const NOTE = 'text-fg-2 text-s leading-[1.45]'
export const BAR = 'flex flex-none flex-wrap items-center gap-6 min-h-40 px-14 py-6'
export const BAR_HEADING = 'min-w-0 heading-m truncate outline-none'

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
  /** A changed value moves the focus to the heading. */
  readonly focusOn?: number
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** Pane that replaces the list of attempts; the back arrow or Esc returns to the list. */
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
      <div className={BAR}>
        <IconButton small label={backLabel} icon={<ArrowLeft />} onClick={onBack} />
        <h3 ref={heading} tabIndex={-1} className={BAR_HEADING}>
          {title}
        </h3>
        {actions}
      </div>
      {children}
    </div>
  )
}

/** A body in its own box, with the views of the Raw tab. */
export function BodyBox({ source }: { readonly source: BodySource }) {
  const begun = useOpenBody(source)
  return (
    <div className="flex h-240 mx-14 mt-4 overflow-hidden border border-line rounded [&>*]:flex-1 [&>*]:min-w-0">
      {begun ? <Opened begun={begun} /> : <Loading />}
    </div>
  )
}

function Opened({ begun }: { readonly begun: OpenBody | FailedBody }) {
  const whole = useWhole(begun)
  const [chosen, setChosen] = useState<BodyView | null>(null)
  const { body } = whole
  if (!isOpen(body)) return <p className={NOTE}>{body.problem}</p>
  return (
    <div className="flex flex-col h-full min-w-0 min-h-0">
      <PartialNotice whole={whole} />
      <RawView key={body.source.key} body={body} chosen={chosen} onChoose={setChosen} />
    </div>
  )
}
