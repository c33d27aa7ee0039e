import { type RefObject, useEffect, useRef } from 'react'

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
