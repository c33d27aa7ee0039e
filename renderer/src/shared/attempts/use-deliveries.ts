import { useEffect, useState } from 'react'
import type { DeliveryRow } from '#contract/delivery.ts'
import { api } from '@/shared/live/api.ts'

/** Rows asked for at once. */
const MOST = 500

/** What was sent, by id, as far as it is read. Deliveries that are gone stay absent; one that waits for analysis is asked for again. */
export function useDeliveries(ids: readonly number[]): ReadonlyMap<number, DeliveryRow> {
  const [known, setKnown] = useState<ReadonlyMap<number, DeliveryRow | null>>(new Map())
  useEffect(() => {
    const wanted = [...new Set(ids)].filter((id) => known.get(id) === undefined).slice(0, MOST)
    if (wanted.length === 0) return
    let left = false
    api
      .call('deliveries.rows', { ids: wanted })
      .then(({ rows }) => {
        if (left) return
        const found = new Map(rows.map((row) => [row.id, row]))
        setKnown(
          (before) => new Map([...before, ...wanted.map((id) => [id, found.get(id) ?? null] as const)]),
        )
      })
      // The list says so where it is refused, too; its rows go without what they are about.
      .catch(() => undefined)
    return () => {
      left = true
    }
  }, [ids, known])
  return new Map([...known].flatMap(([id, row]) => (row ? [[id, row]] : [])))
}
