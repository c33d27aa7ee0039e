import { useEffect, useState } from 'react'

/** The current time in milliseconds, updated at this interval in milliseconds; null: never. */
export function useNow(every: number | null): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (every === null) return
    const update = () => setNow(Date.now())
    update()
    const timer = setInterval(update, every)
    return () => clearInterval(timer)
  }, [every])
  return now
}
