import { useEffect, useState } from 'react'
import type { Annotated } from '@/shared/live/annotating.ts'
import { api } from '@/shared/live/api.ts'

/** The note of the only delivery that is meant; empty for several, null until it is known. */
export function useKeptNote(about: Annotated | null): string | null {
  const only = about && !about.everything && about.ids.length === 1 ? about.ids[0] : undefined
  const [known, setKnown] = useState<{ readonly id: number; readonly text: string } | null>(null)
  useEffect(() => {
    if (only === undefined) return
    let wanted = true
    const take = (text: string) => {
      if (wanted) setKnown({ id: only, text })
    }
    api.call('deliveries.get', { id: only }).then(
      ({ noteText }) => take(noteText?.text ?? ''),
      () => take(''),
    )
    return () => {
      wanted = false
    }
  }, [only])
  if (only === undefined) return ''
  return known?.id === only ? known.text : null
}
