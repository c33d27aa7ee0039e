import { type RefObject, useLayoutEffect, useState } from 'react'

/** The width of an element inside its borders, px; 0 until it is laid out. */
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
