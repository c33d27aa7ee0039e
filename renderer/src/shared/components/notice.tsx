import { type FocusEvent, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Banner, type BannerProps } from './banner.tsx'

/** How long the result of an act stays that went as asked. */
export const TOLD_MS = 8_000

export interface NoticeProps extends BannerProps {
  readonly onDismiss: () => void
  /** It goes after so many milliseconds, but not while it is pointed at or has the focus inside. Left out: it stays until it is closed. */
  readonly goesAfter?: number | undefined
  /** Another value is another notice: its time begins again. */
  readonly about?: unknown
}

/**
 * What an act came to. Every notice of the window stands in one row of its own above the status bar (`#notices` in app), so that it covers
 * neither rows nor buttons. It never takes the focus.
 */
export function Notice({ goesAfter, about, ...banner }: NoticeProps) {
  const box = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const dismiss = useRef(banner.onDismiss)
  dismiss.current = banner.onDismiss
  const held = pointed || focused
  // biome-ignore lint/correctness/useExhaustiveDependencies: another notice is shown for as long as the first
  useEffect(() => {
    if (goesAfter === undefined || held) return
    const timer = setTimeout(() => dismiss.current(), goesAfter)
    return () => clearTimeout(timer)
  }, [goesAfter, held, about])
  const row = document.getElementById('notices')
  if (!row) return null
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: only its time depends on it
    <div
      ref={box}
      className="[&>*]:border-t [&>*]:border-b-0"
      onMouseEnter={() => setPointed(true)}
      onMouseLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={(event: FocusEvent) => {
        if (!box.current?.contains(event.relatedTarget)) setFocused(false)
      }}
    >
      <Banner {...banner} />
    </div>,
    row,
  )
}
