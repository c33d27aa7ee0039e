import type { ScheduleState } from '#contract/schedules.ts'
import type { Language } from './menu-labels.ts'

/** As much of Electron's Notification as is needed. */
export interface NativeNotice {
  on(event: 'click', listener: () => void): unknown
  show(): void
}

export interface NoticeParts {
  /** Undefined where the system shows no notifications. */
  make(words: { readonly title: string; readonly body: string }): NativeNotice | undefined
  language(): Language
  /** Brings the window to the front, at a sweep. */
  open(sweep: number | undefined): void
}

/** Shown notices: without a reference they are collected, and a click on one does nothing any more. */
const KEPT = 20

/**
 * A notification of the desktop when a scheduled sweep has missed something that was not told of before.
 * @returns what takes every run that has ended
 */
export function scheduleNotices({ make, language, open }: NoticeParts): (state: ScheduleState) => void {
  const shown: NativeNotice[] = []
  return (state) => {
    if (!state.schedule.notify || !state.last || state.last.fresh === 0) return
    const notice = make(noticeWords(state, language()))
    if (!notice) return
    const [sweep] = state.last.sweeps
    notice.on('click', () => open(sweep))
    notice.show()
    shown.push(notice)
    shown.splice(0, shown.length - KEPT)
  }
}

function noticeWords(
  { schedule: { connection }, last }: ScheduleState,
  language: Language,
): { readonly title: string; readonly body: string } {
  const fresh = last?.fresh ?? 0
  const recovery = last?.recovery ?? null
  if (language === 'es') {
    const missed =
      fresh === 1 ? '1 documento con un evento perdido' : `${fresh} documentos con eventos perdidos`
    return {
      title: `Se perdieron eventos de ${connection}`,
      body: recovery ? `${missed}; se reconstruyeron y se envían a ${recovery.target}.` : `${missed}.`,
    }
  }
  const missed = fresh === 1 ? '1 document with a missed event' : `${fresh} documents with missed events`
  return {
    title: `Events of ${connection} were missed`,
    body: recovery ? `${missed}; rebuilt and being sent to ${recovery.target}.` : `${missed}.`,
  }
}
