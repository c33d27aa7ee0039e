import { useCallback, useEffect, useRef, useState } from 'react'
import type { DeliveryDetail } from '#contract/delivery.ts'
import type { Refusal } from '#contract/errors.ts'
import type { Push } from '#contract/pushes.ts'
import { closeBody, deliveryBody, type FailedBody, type OpenBody, openBody } from '@/shared/body/open-body.ts'
import { api, host } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

/** A delivery with the beginning of its body. The pane replaces both at once, so that no stale part remains. */
export interface Opened {
  readonly detail: DeliveryDetail
  readonly body: OpenBody | FailedBody
}
export type Shown =
  /** Loading takes noticeably long. */
  | { readonly state: 'waiting' }
  | { readonly state: 'failed'; readonly refusal: Refusal }
  | { readonly state: 'shown'; readonly opened: Opened }

/** Until then the previous delivery stays, to avoid a flash. */
const DELAY_MS = 150

async function open(id: number): Promise<Opened> {
  const [detail, body] = await Promise.all([
    api.call('deliveries.get', { id }),
    openBody(deliveryBody(id, 'decoded')),
  ])
  return { detail, body }
}

/** Whether a push may mean a change of the delivery. */
function concerns({ push, payload }: Push, id: number): boolean {
  if (push === 'deliveries.changed') return payload.skipped > 0 || payload.rows.some((row) => row.id === id)
  return push === 'replays.changed' && (payload.more || payload.deliveries.includes(id))
}

/** The delivery to show, refreshed after analysis and replays. Of quick changes only the last is shown. */
export function useOpened(id: number): { shown: Shown; retry: () => void } {
  const [shown, setShown] = useState<Shown>({ state: 'waiting' })
  const [attempt, setAttempt] = useState(0)
  const held = useRef<OpenBody | FailedBody>(undefined)

  // `attempt` only re-runs the effect.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    let current = true
    const timer = setTimeout(() => setShown({ state: 'waiting' }), DELAY_MS)
    open(id).then(
      (opened) => {
        clearTimeout(timer)
        if (!current) return closeBody(opened.body)
        closeBody(held.current)
        held.current = opened.body
        setShown({ state: 'shown', opened })
      },
      (error: unknown) => {
        clearTimeout(timer)
        if (current) setShown({ state: 'failed', refusal: refusalOf(error) })
      },
    )
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [id, attempt])
  useEffect(() => () => closeBody(held.current), [])

  const refresh = useCallback(async () => {
    const detail = await api.call('deliveries.get', { id })
    setShown((present) =>
      present.state === 'shown' && present.opened.detail.id === detail.id
        ? { state: 'shown', opened: { ...present.opened, detail } }
        : present,
    )
  }, [id])
  const failed = shown.state === 'failed'
  useEffect(
    () =>
      host().onPush((push) => {
        if (push.push === 'store.reset') {
          // Deleted, perhaps; or restored.
          if (failed) setAttempt((n) => n + 1)
          else refresh().catch((error: unknown) => setShown((present) => gone(present, id, refusalOf(error))))
        }
        // The next request reports a deletion.
        if (concerns(push, id)) refresh().catch(() => undefined)
      }),
    [id, refresh, failed],
  )
  return { shown, retry: () => setAttempt((n) => n + 1) }
}

/** The state after a refusal: a deleted delivery is shown as deleted; other refusals change nothing. */
function gone(present: Shown, id: number, refusal: Refusal): Shown {
  const meant = present.state === 'shown' && present.opened.detail.id === id
  return meant && refusal.code === 'not-found' ? { state: 'failed', refusal } : present
}
