import type { ScheduleState } from '#contract/schedule.ts'
import type { FilterMatches } from '#contract/settings.ts'
import type { Language } from './language.ts'
import { filterWords, type NoticeWords, scheduleWords } from './notice-words.ts'

/** As much of Electron's Notification as is needed. */
export interface NativeNotice {
  on(event: 'click', listener: () => void): unknown
  show(): void
}

export interface NoticeParts {
  /** Undefined where the system shows no notifications. */
  make(words: NoticeWords): NativeNotice | undefined
  language(): Language
  /** Brings a window to the front, at a place of it when one is given. */
  open(hash?: string): void
}

/** Shown notices: without a reference they are collected, and a click on one does nothing any more. */
const KEPT = 20

/** Tells by the desktop's notifications what should be known while no window is looked at. */
export interface Notices {
  /** A scheduled run has ended: what it missed that was not told of before. */
  schedule(state: ScheduleState): void
  /** Deliveries match a filter with notices. */
  matched(matches: FilterMatches): void
  /** Anything else. */
  say(words: NoticeWords): void
}

export function nativeNotices({ make, language, open }: NoticeParts): Notices {
  const shown: NativeNotice[] = []
  function show(words: NoticeWords, hash?: string): void {
    const notice = make(words)
    if (!notice) return
    notice.on('click', () => open(hash))
    notice.show()
    shown.push(notice)
    shown.splice(0, shown.length - KEPT)
  }
  return {
    schedule(state) {
      if (!state.schedule.notify || !state.last || state.last.fresh === 0) return
      const [sweep] = state.last.sweeps
      const place = sweep === undefined ? '#/settings/connections' : `#/reconcile/sweep-${sweep}`
      show(scheduleWords(state, language()), place)
    },
    matched: (matches) => show(filterWords(matches, language()), `#/stream?id=${matches.delivery.id}`),
    say: (words) => show(words),
  }
}
