import { useState } from 'react'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { focusGrid } from '@/shared/live/focus.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { goTo } from './go-to.ts'
import type { Stretch } from './stretch.ts'
import { useTimelineWords } from './words.ts'

/** Where a jump led when that is not the stretch itself: the list may leave out what the bars count. */
export function besides(came: number | null, { from, to }: Stretch): 'none' | 'before' | 'after' | null {
  if (came === null) return 'none'
  return came < from ? 'before' : came >= to ? 'after' : null
}

/** Leads the list to the deliveries of a time range, without filtering. `said`: that there are none, or why it failed. */
export function useGoTo(): { readonly said: string | null; readonly go: (stretch: Stretch) => void } {
  const { t, format } = useTimelineWords()
  const refusalText = useRefusalText()
  const [said, setSaid] = useState<string | null>(null)
  const go = async (stretch: Stretch) => {
    setSaid(null)
    try {
      const came = await goTo(stretch.from)
      if (came === 'overtaken') return
      const led = besides(came, stretch)
      if (led) setSaid(t(`goTo.${led}`, { at: format.instant((came ?? 0) * 1_000) }))
      focusGrid(true)
    } catch (error) {
      setSaid(refusalText(refusalOf(error)))
    }
  }
  return { said, go: (stretch) => void go(stretch) }
}
