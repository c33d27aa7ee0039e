import { useEffect, useState } from 'react'

/** The time in milliseconds, drawn anew every so many; null: it stands still. */
export function useNow(every: number | null): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (every === null) return
    const look = () => setNow(Date.now())
    look()
    const timer = setInterval(look, every)
    return () => clearInterval(timer)
  }, [every])
  return now
}
