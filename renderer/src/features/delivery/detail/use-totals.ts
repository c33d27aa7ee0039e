import { useEffect, useState } from 'react'
import { isReadWhole, type OpenBody } from '@/shared/body/open-body.ts'
import type { LineTotals } from '@/shared/body/protocol.ts'

interface Known {
  readonly of: OpenBody
  readonly totals: LineTotals
}

/** What all lines add up to; null until it is known, and of a body that is not here whole or cannot be read to its end. */
export function useTotals(body: OpenBody, line: number): LineTotals | null {
  const [known, setKnown] = useState<Known | null>(null)
  useEffect(() => {
    if (!isReadWhole(body)) return
    let current = true
    body.handle.call('totals', { line }).then(
      (totals) => current && totals && setKnown({ of: body, totals }),
      // The body was closed meanwhile.
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [body, line])
  return known?.of === body ? known.totals : null
}
