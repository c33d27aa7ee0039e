import { useCallback, useEffect, useRef, useState } from 'react'
import type { DeliveryRow } from '#contract/delivery.ts'
import type { Refusal } from '#contract/errors.ts'
import { api, host } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

/** Deliveries of one document that are asked for at a time; hardly any has more. */
const PAGE = 200
/** What arrives in bursts is asked for once. */
const PAUSE_MS = 150

/** The deliveries of a document, as a filter. A quote in an id cannot be written in one, and no UUID holds any. */
export const filterOfDocument = (documentId: string): string => `doc:"${documentId.replaceAll('"', '')}"`

export interface Life {
  /** In the order of arrival; null until they have come. */
  readonly steps: readonly DeliveryRow[] | null
  readonly more: boolean
  readonly refusal: Refusal | null
  load(): void
  retry(): void
}

interface Known {
  readonly of: string
  readonly steps: readonly DeliveryRow[] | null
  readonly more: boolean
  readonly refusal: Refusal | null
}
const unknown = (of: string): Known => ({ of, steps: null, more: false, refusal: null })

async function read(documentId: string, wanted: number): Promise<{ steps: DeliveryRow[]; more: boolean }> {
  const filter = filterOfDocument(documentId)
  const steps: DeliveryRow[] = []
  for (;;) {
    const after = steps.at(-1)?.id ?? null
    const { rows } = await api.call('deliveries.scan', { filter, after, limit: PAGE })
    steps.push(...rows)
    if (rows.length < PAGE) return { steps, more: false }
    if (steps.length >= wanted) return { steps, more: true }
  }
}

/** Everything captured of one document, kept true to what arrives. */
export function useLife(documentId: string): Life {
  const [known, setKnown] = useState<Known>(() => unknown(documentId))
  const [wanted, setWanted] = useState(PAGE)
  const asked = useRef(0)
  const ask = useCallback(async () => {
    asked.current += 1
    const mine = asked.current
    const take = (part: Partial<Known>) => {
      if (mine !== asked.current) return
      setKnown((was) => ({ ...(was.of === documentId ? was : unknown(documentId)), refusal: null, ...part }))
    }
    try {
      take(await read(documentId, wanted))
    } catch (error) {
      take({ refusal: refusalOf(error) })
    }
  }, [documentId, wanted])
  useEffect(() => {
    void ask()
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void ask()
      }, PAUSE_MS)
    }
    const key = documentId.toLowerCase()
    const stop = host().onPush((push) => {
      if (push.push === 'store.reset') later()
      if (push.push !== 'deliveries.changed') return
      const { rows, skipped } = push.payload
      if (skipped > 0 || rows.some((row) => row.documentId?.toLowerCase() === key)) later()
    })
    return () => {
      clearTimeout(timer)
      asked.current += 1
      stop()
    }
  }, [ask, documentId])
  const present = known.of === documentId ? known : unknown(documentId)
  return {
    ...present,
    load: () => setWanted((n) => n + PAGE),
    retry: () => void ask(),
  }
}
