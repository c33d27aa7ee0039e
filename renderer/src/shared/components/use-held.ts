import { type FocusEvent, type RefObject, useRef, useState } from 'react'

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
