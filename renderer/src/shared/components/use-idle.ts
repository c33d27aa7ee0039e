import { useEffect, useState } from 'react'
import { firstDraw } from '@/shared/live/first-draw.ts'

const AT_LATEST_MS = 1_000

/** False until the window shows what it was opened for and has nothing more pressing to do. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    const late = setTimeout(() => setIdle(true), AT_LATEST_MS)
    let asked: number | null = null
    let gone = false
    void firstDraw.then(() => {
      if (!gone) asked = requestIdleCallback(() => setIdle(true))
    })
    return () => {
      gone = true
      clearTimeout(late)
      if (asked !== null) cancelIdleCallback(asked)
    }
  }, [])
  return idle
}
