import { type FocusEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { cx } from '@/shared/components/cx.ts'

/** A word in a corner, over everything: never in the way, never taking the focus. */
export const NOTICE = cx(
  'flex items-center max-w-[min(var(--wide,520px),calc(100vw_-_90px))] min-h-36 py-5 pr-6 pl-12',
  'border border-line-strong rounded-8 bg-panel shadow-float text-s',
)
/** Notices stand at the right. Those that offer to undo stand at the left (undo-notice), so that neither covers the other. */
export const CORNER = `${NOTICE} fixed z-float right-14 bottom-[calc(var(--status)_+_var(--foot,0px)_+_14px)] gap-10`

/** For the bar at the foot of a screen that has its usual button: notices stand above it, or they would lie on that button. */
export function useFoot<T extends HTMLElement>(): RefObject<T | null> {
  const bar = useRef<T>(null)
  useEffect(() => {
    const element = bar.current
    if (!element) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--foot', `${element.offsetHeight}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('--foot')
    }
  }, [])
  return bar
}

interface Holding {
  readonly ref: RefObject<HTMLDivElement | null>
  readonly onMouseEnter: () => void
  readonly onMouseLeave: () => void
  readonly onFocus: () => void
  readonly onBlur: (event: FocusEvent) => void
}

/** Whether something that goes by itself is pointed at or has the focus inside: then it has to stay. @returns props for its element, too */
export function useHeld(): { readonly held: boolean; readonly holding: Holding } {
  const ref = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  return {
    held: pointed || focused,
    holding: {
      ref,
      onMouseEnter: () => setPointed(true),
      onMouseLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: (event) => {
        if (!ref.current?.contains(event.relatedTarget)) setFocused(false)
      },
    },
  }
}
