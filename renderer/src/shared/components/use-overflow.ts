import { type RefObject, useEffect, useState } from 'react'

export interface Overflow {
  readonly before: boolean
  readonly after: boolean
}
const NONE: Overflow = { before: false, after: false }

/** Whether a row has more beyond its edges. A wheel scrolls it sideways: a mouse has no other way. @param content changes with what is in the row */
export function useOverflow(row: RefObject<HTMLElement | null>, content: string): Overflow {
  const [overflow, setOverflow] = useState(NONE)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content is another width
  useEffect(() => {
    const element = row.current
    if (!element) return
    const measure = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element
      const before = scrollLeft > 1
      const after = scrollLeft < scrollWidth - clientWidth - 1
      setOverflow((was) => (was.before === before && was.after === after ? was : { before, after }))
    }
    const wheeled = (event: WheelEvent) => {
      if (event.deltaX !== 0 || event.ctrlKey || element.scrollWidth <= element.clientWidth) return
      event.preventDefault()
      element.scrollLeft += event.deltaY
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    element.addEventListener('wheel', wheeled, { passive: false })
    measure()
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
      element.removeEventListener('wheel', wheeled)
    }
  }, [row, content])
  return overflow
}
