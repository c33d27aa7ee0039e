import { type FocusEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Banner, type BannerProps } from './banner.tsx'

/** Display time of a success notice. */
export const TOLD_MS = 8_000

export interface NoticeProps extends BannerProps {
  readonly onDismiss: () => void
  /** Milliseconds until the notice closes, paused while it is hovered or has the focus. Without it the notice stays until closed. */
  readonly goesAfter?: number | undefined
  /** A changed value restarts the timer. */
  readonly about?: unknown
}

/**
 * The result of an act. All notices share one row above the status bar (`#notices` in app), so that they cover
 * neither rows nor buttons. A notice never takes the focus.
 */
export function Notice({ goesAfter, about, ...banner }: NoticeProps) {
  const box = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const dismiss = useEffectEvent(banner.onDismiss)
  const held = pointed || focused
  // biome-ignore lint/correctness/useExhaustiveDependencies: another notice is shown for as long as the first
  useEffect(() => {
    if (goesAfter === undefined || held) return
    const timer = setTimeout(() => dismiss(), goesAfter)
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
