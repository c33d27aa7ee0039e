import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import type { Job, JobOptions, JobSource, LaneStall } from '#contract/replay.ts'
import { spanText } from '#core/time/duration.ts'
import { useTexts } from '@/shared/i18n/format.ts'

/** @returns formats a duration: `2 h 5 min` */
export function useSpanText(): (seconds: number) => string {
  const { t } = useTexts('replays')
  return (seconds) => (seconds < 1 ? t('preview.underSecond') : spanText(seconds))
}

export function useSourceText(): (source: JobSource, total?: number) => string {
  const { t } = useTexts('replays')
  return (source, total) => {
    switch (source.type) {
      case 'ids':
        return t('jobs.source.ids', { count: total ?? source.count })
      case 'document':
        return t('jobs.source.document', { id: source.documentId })
      case 'filter':
        return source.filter.trim() === ''
          ? t('jobs.source.all')
          : t('jobs.source.filter', { filter: source.filter })
    }
  }
}

/** @returns why a job or forward waits; with the system's message, which is English, only in English */
export function useStallText(): (stall: LaneStall) => string {
  const { t, language } = useTexts('replays')
  return ({ code, message }) => t(`lanes.stalls.${code}`, { why: language === 'en' ? ` ${message}` : '' })
}

/** The options of a job that differ from the default, and always its order. */
export function useOptionTexts(): (options: JobOptions) => readonly string[] {
  const { t } = useTexts('replays')
  return (options) => {
    const { order, concurrency, ratePerSecond, gaps, stopAfterFailures, retry, failures, include } = options
    const usual = DEFAULT_JOB_OPTIONS.failures
    const sameFailures =
      failures.length === usual.length && usual.every((status) => failures.includes(status))
    return [
      t(`options.orderValues.${order}`),
      t('jobs.option.concurrency', { count: concurrency }),
      ...(ratePerSecond === null ? [] : [t('jobs.option.rate', { rate: ratePerSecond })]),
      ...(gaps === null ? [] : [t('jobs.option.gaps', { factor: gaps })]),
      ...(stopAfterFailures === null ? [] : [t('jobs.option.stopAfter', { count: stopAfterFailures })]),
      ...(retry.times === 0 ? [] : [t('jobs.option.retry', { count: retry.times })]),
      ...(sameFailures ? [] : [t('jobs.option.failures', { statuses: failures.join(', ') })]),
      ...(include.includes('rejected') ? [t('jobs.option.rejected')] : []),
      ...(include.includes('replay') ? [t('jobs.option.replays')] : []),
    ]
  }
}

export type JobAction = 'pause' | 'resume' | 'cancel' | 'retryFailed' | 'remove'

/** Actions of a job. Each keeps its place, so that a click never hits another one. */
export function actionsOf({
  state,
  failed,
}: Pick<Job, 'state' | 'failed'>): readonly { readonly what: JobAction; readonly enabled: boolean }[] {
  const held = state === 'paused' || state === 'stopped'
  const running = state === 'running'
  return [
    { what: held ? 'resume' : 'pause', enabled: held || running },
    { what: 'cancel', enabled: held || running },
    { what: 'retryFailed', enabled: !running && failed > 0 },
    { what: 'remove', enabled: !running },
  ]
}
