import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import type { JobOptions } from '#contract/replay.ts'
import type { Form } from '@/shared/forms/form.ts'

export interface JobDraft {
  readonly order: JobOptions['order']
  readonly concurrency: number | null
  /** Null: as fast as the target answers. */
  readonly rate: number | null
  readonly keepGaps: boolean
  readonly gaps: number | null
  /** Null: never. */
  readonly stopAfter: number | null
  readonly retries: number | null
  readonly retryDelay: number | null
  /** As typed: `4xx, 500`. */
  readonly failureStatuses: string
  readonly includeRejected: boolean
  readonly includeReplays: boolean
}

const statusesOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter(Boolean),
  ),
]

/** How a job goes about it. What it sends and where to is chosen elsewhere, and joins when it is asked for. */
export const JOB_FORM: Form<'jobs.start', JobDraft> = {
  command: 'jobs.start',
  first: {
    order: DEFAULT_JOB_OPTIONS.order,
    concurrency: DEFAULT_JOB_OPTIONS.concurrency,
    rate: null,
    keepGaps: false,
    gaps: 1,
    stopAfter: null,
    retries: DEFAULT_JOB_OPTIONS.retry.times,
    retryDelay: DEFAULT_JOB_OPTIONS.retry.delayMs,
    failureStatuses: DEFAULT_JOB_OPTIONS.failures.join(', '),
    includeRejected: false,
    includeReplays: false,
  },
  params: (draft) => ({
    source: { type: 'filter', filter: '' },
    options: {
      to: { target: 'target' },
      order: draft.order,
      concurrency: draft.concurrency,
      ratePerSecond: draft.rate,
      gaps: draft.keepGaps ? (draft.gaps ?? Number.NaN) : null,
      stopAfterFailures: draft.stopAfter,
      retry: { times: draft.retries, delayMs: draft.retryDelay },
      failures: statusesOf(draft.failureStatuses),
      include: [
        ...(draft.includeRejected ? (['rejected'] as const) : []),
        ...(draft.includeReplays ? (['replay'] as const) : []),
      ],
    },
  }),
  places: () => ({
    'options.concurrency': ['concurrency', 'concurrency'],
    'options.ratePerSecond': ['rate', 'rate'],
    'options.gaps': ['gaps', 'gaps'],
    'options.stopAfterFailures': ['stopAfter', 'stopAfter'],
    'options.retry.times': ['retries', 'retries'],
    'options.retry.delayMs': ['retryDelay', 'retryDelay'],
    'options.failures': ['failureStatuses', 'failures'],
  }),
}
