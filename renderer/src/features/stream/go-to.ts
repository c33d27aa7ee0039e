import { useState } from 'react'
import { list } from '@/shared/deliveries/list.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { api } from '@/shared/live/api.ts'
import { focusGrid } from '@/shared/live/focus.ts'
import { useCursor, useFollow } from '@/shared/live/pointing.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { type Stretch, useTimelineWords } from './stretch.ts'

/** Scrolls the list to a row. A stopped list extends only if the row arrived after the stop. */
function show(id: number, position: number): void {
  const { stop } = useFollow.getState()
  stop(list.state().total)
  const { head, rebase } = useFollow.getState()
  if (position >= head) rebase(list.state().total)
  useCursor.getState().seek({ id, position })
}

/** Number of jumps so far, to ignore answers that arrive out of order. */
let jumps = 0

/**
 * Moves the cursor to the first delivery at or after an instant, or else to the last one before it.
 * @returns its time in milliseconds; null: the list is empty; `overtaken`: a later jump replaced this one @throws RefusalError
 */
export async function goTo(instant: number): Promise<number | null | 'overtaken'> {
  jumps += 1
  const mine = jumps
  const answer = await api
    .call('deliveries.at', { ...list.asked(), instant })
    .catch((refusal: unknown) => (mine === jumps ? Promise.reject(refusal) : null))
  if (mine !== jumps || answer === null) return 'overtaken'
  const { id, position, receivedAt } = answer
  if (id === null || receivedAt === null) return null
  show(id, position)
  return receivedAt / 1_000
}

/** Whether a jump ended outside its time range: the list may not contain all that the bars count. */
export function besides(came: number | null, { from, to }: Stretch): 'none' | 'before' | 'after' | null {
  if (came === null) return 'none'
  return came < from ? 'before' : came >= to ? 'after' : null
}

/** Scrolls the list to a time range without filtering. `said`: that it has no delivery, or why the jump failed. */
export function useGoTo(): { readonly said: string | null; readonly go: (stretch: Stretch) => void } {
  const { t } = useTimelineWords()
  const refusalText = useRefusalText()
  const [said, setSaid] = useState<string | null>(null)
  const go = async (stretch: Stretch) => {
    setSaid(null)
    try {
      const came = await goTo(stretch.from)
      if (came === 'overtaken') return
      const led = besides(came, stretch)
      if (led) setSaid(t(`goTo.${led}`, { at: (came ?? 0) * 1_000 }))
      focusGrid(true)
    } catch (error) {
      setSaid(refusalText(refusalOf(error)))
    }
  }
  return { said, go: (stretch) => void go(stretch) }
}
