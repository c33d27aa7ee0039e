import { type RefObject, useLayoutEffect, useState } from 'react'

/** Width of an element in px, as it changes. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const target = element.current
    if (!target) return
    const observer = new ResizeObserver(() => setWidth(target.clientWidth))
    observer.observe(target)
    setWidth(target.clientWidth)
    return () => observer.disconnect()
  }, [element])
  return width
}
