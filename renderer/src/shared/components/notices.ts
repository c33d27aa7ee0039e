import { type FocusEvent, type RefObject, useEffect, useRef, useState } from 'react'

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
