import { create } from 'zustand'
import { ERROR_CODES } from '#contract/errors.ts'
import type { Schedule, ScheduleRun, ScheduleState } from '#contract/schedule.ts'
import { SWEEP_PROBLEMS } from '#contract/values.ts'
import { type Format, useTexts } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { api, hear } from '@/shared/live/api.ts'

/** Formats a future moment for a narrow place: today shows only the time. */
export function whenNext(ms: number, now: number, format: Pick<Format, 'clock' | 'moment'>): string {
  const today = new Date(ms).toDateString() === new Date(now).toDateString()
  // Schedules have minute precision.
  return today ? format.clock(ms * 1_000).slice(0, 5) : format.moment(ms * 1_000)
}

/** Sentences about scheduled sweeps, shared by status bar, notice and settings. */
export function useScheduleWords() {
  const { t, format } = useTexts(['schedules', 'reconcile'])
  const refusalText = useRefusalText()

  /** In the window's language; a newer host may give a code that it does not know. */
  const reason = ({ code, message, params }: NonNullable<ScheduleRun['error']>): string => {
    const problem = SWEEP_PROBLEMS.find((one) => one === code)
    if (problem) return t(`reconcile:problem.${problem}`)
    const refused = ERROR_CODES.find((one) => one === code)
    if (refused) return refusalText({ code: refused, message, details: params })
    return code === 'paused' || code === 'cancelled'
      ? t(`result.state.${code}`)
      : t('result.unknown', { code })
  }
  const result = ({ last }: ScheduleState): string => {
    if (!last) return t('result.never')
    if (last.error) return t('result.failed', { reason: reason(last.error) })
    const missing = last.missing ?? 0
    const differs = last.differs ?? 0
    if (missing + differs === 0) return t('result.clean')
    const found = [
      ...(missing > 0 ? [t('result.missing', { count: missing })] : []),
      ...(differs > 0 ? [t('result.differs', { count: differs })] : []),
      ...(last.fresh > 0 ? [t('result.fresh', { count: last.fresh })] : []),
    ].join(', ')
    const { recovery } = last
    return recovery
      ? `${found}. ${t('result.recovery', { count: recovery.events, target: recovery.target })}`
      : `${found}.`
  }
  /** For the status bar: `erp: 3 missing`. */
  const short = (state: ScheduleState): string => {
    const { schedule, running, last, nextRun } = state
    const name = schedule.connection
    if (running) return t('short.running', { name })
    if (last?.error) return t('short.failed', { name })
    if (last && (last.missing ?? 0) > 0) return t('short.missing', { name, count: last.missing ?? 0 })
    if (last && (last.differs ?? 0) > 0) return t('short.differs', { name, count: last.differs ?? 0 })
    if (last) return t('short.clean', { name })
    if (nextRun === null) return t('short.off', { name })
    return t('short.next', { name, when: whenNext(nextRun, Date.now(), format) })
  }
  /** When it runs: `every 60 min`, `at 06:30, Mon to Fri`. */
  const times = ({ time }: Schedule): string => {
    if ('every' in time) return t('times.every', { count: time.every })
    if (!time.weekdays) return t('times.daily', { at: time.at })
    return t('times.on', { at: time.at, days: time.weekdays.map((day) => t(`days.${day}`)).join(', ') })
  }
  const line = (state: ScheduleState): string =>
    [
      `${state.schedule.connection}: ${result(state)}`,
      ...(state.last ? [t('line.last', { when: state.last.endedAt * 1_000 })] : []),
      ...(state.nextRun === null ? [] : [t('line.next', { when: state.nextRun * 1_000 })]),
    ].join(' · ')
  return { short, result, line, times }
}

interface SchedulesStore {
  /** In the order of the connections; null until first read. */
  readonly schedules: readonly ScheduleState[] | null
  /** The latest run with missing deliveries that the user has neither opened nor dismissed. */
  readonly told: ScheduleState | null
}

export const useSchedules = create<SchedulesStore>()(() => ({ schedules: null, told: null }))
const set = useSchedules.setState
export const tell = (told: ScheduleState | null): void => set({ told })

/** The banner shows a lost connection; the next push or reconnection reads again. */
const refresh = (): Promise<void> => api.call('schedules.list', {}).then(set, () => undefined)

/** Whether a run found something the user should look at, and its schedule asks for a notice. */
export const isTold = ({ schedule, last }: ScheduleState): boolean =>
  schedule.notify && last !== null && last.fresh > 0

/** Keeps the schedules up to date until the returned function is called. */
export function watchSchedules(onMissed: (state: ScheduleState) => void): () => void {
  void refresh()
  return hear(
    ({ push, payload }) => {
      if (push === 'schedules.changed') set(payload)
      else if (push === 'schedules.finished' && isTold(payload)) {
        tell(payload)
        onMissed(payload)
      }
    },
    () => void refresh(),
  )
}
