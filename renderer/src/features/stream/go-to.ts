import { useState } from 'react'
import { list } from '@/shared/deliveries/list.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { api } from '@/shared/live/api.ts'
import { focusGrid } from '@/shared/live/focus.ts'
import { useCursor, useFollow } from '@/shared/live/pointing.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import type { Stretch } from './stretch.ts'
import { useTimelineWords } from './words.ts'

/** Brings the list to a row. What is shown of a list that stands still ends where it stopped, unless the row came after that. */
function show(id: number, position: number): void {
  const { stop } = useFollow.getState()
  stop(list.state().total)
  const { head, rebase } = useFollow.getState()
  if (position >= head) rebase(list.state().total)
  useCursor.getState().seek({ id, position })
}

/** Jumps asked for so far: answers may come out of order. */
let jumps = 0

/**
 * Points at the first delivery of the list that came at an instant or after it; at the last before it when none did.
 * @returns when that came, in milliseconds; null: the list is empty; `overtaken`: another jump was asked for @throws RefusalError
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

/** Where a jump led when that is not the stretch itself: the list may leave out what the bars count. */
export function besides(came: number | null, { from, to }: Stretch): 'none' | 'before' | 'after' | null {
  if (came === null) return 'none'
  return came < from ? 'before' : came >= to ? 'after' : null
}

/** Leads the list to the deliveries of a time range, without filtering. `said`: that there are none, or why it failed. */
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
