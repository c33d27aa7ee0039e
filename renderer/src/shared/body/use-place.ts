import { useEffect, useState } from 'react'
import type { BodyHandle } from './client.ts'
import type { BodyCalls, BodyView } from './protocol.ts'

/** Counting lines up to a place reads the body: not on every step of a held arrow key. */
const PAUSE_MS = 60

/** Pointer and place of a line of the pretty view; null for the other views and while unknown. */
export function usePlace(
  handle: BodyHandle,
  view: BodyView,
  line: number | undefined,
): BodyCalls['pointer']['result'] {
  const [place, setPlace] = useState<BodyCalls['pointer']['result']>(null)
  useEffect(() => {
    if (view !== 'pretty' || line === undefined) {
      setPlace(null)
      return
    }
    let current = true
    const timer = setTimeout(() => {
      handle.call('pointer', { line }).then(
        (found) => current && setPlace(found),
        () => undefined,
      )
    }, PAUSE_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [handle, view, line])
  return place
}
