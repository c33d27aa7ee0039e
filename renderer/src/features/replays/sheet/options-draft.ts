import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import type { JobOptions } from '#contract/replay.ts'

/** Options of a job as they stand in the form. */
export interface OptionsDraft {
  readonly order: JobOptions['order']
  readonly concurrency: number | null
  /** Null: as fast as the target answers. */
  readonly rate: number | null
  readonly keepGaps: boolean
  readonly gaps: number | null
  /** Null: never. */
  readonly stopAfter: number | null
  readonly retries: number | null
  readonly retryDelayMs: number | null
  /** As typed: `4xx, 500`. */
  readonly failures: string
  readonly rejected: boolean
  readonly replays: boolean
}

export const FIRST_OPTIONS: OptionsDraft = {
  order: DEFAULT_JOB_OPTIONS.order,
  concurrency: DEFAULT_JOB_OPTIONS.concurrency,
  rate: null,
  keepGaps: false,
  gaps: 1,
  stopAfter: null,
  retries: DEFAULT_JOB_OPTIONS.retry.times,
  retryDelayMs: DEFAULT_JOB_OPTIONS.retry.delayMs,
  failures: DEFAULT_JOB_OPTIONS.failures.join(', '),
  rejected: false,
  replays: false,
}

export type OptionsField =
  | 'concurrency'
  | 'rate'
  | 'gaps'
  | 'stopAfter'
  | 'retries'
  | 'retryDelay'
  | 'failures'

const statusesOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter((part) => part !== ''),
  ),
]
const within = (value: number | null, least: number, most: number): value is number =>
  value !== null && value >= least && value <= most

/** Fields that hold what the host would refuse. */
export function wrongOptions(draft: OptionsDraft): ReadonlySet<OptionsField> {
  const wrong = new Set<OptionsField>()
  if (!within(draft.concurrency, 1, 256)) wrong.add('concurrency')
  if (draft.rate !== null && !within(draft.rate, 0.01, 100_000)) wrong.add('rate')
  if (draft.keepGaps && !within(draft.gaps, 0.1, 10)) wrong.add('gaps')
  if (draft.stopAfter !== null && !(draft.stopAfter >= 1)) wrong.add('stopAfter')
  if (!within(draft.retries, 0, 20)) wrong.add('retries')
  if (!within(draft.retryDelayMs, 0, 600_000)) wrong.add('retryDelay')
  if (statusesOf(draft.failures).some((status) => !/^[1-5](?:xx|\d\d)$/.test(status))) wrong.add('failures')
  return wrong
}

/** @returns null while a field is wrong */
export function optionsOf(draft: OptionsDraft, target: string): JobOptions | null {
  const { concurrency, retries, retryDelayMs } = draft
  if (wrongOptions(draft).size > 0 || concurrency === null || retries === null || retryDelayMs === null)
    return null
  return {
    to: { target },
    order: draft.order,
    concurrency,
    ratePerSecond: draft.rate,
    gaps: draft.keepGaps ? draft.gaps : null,
    stopAfterFailures: draft.stopAfter,
    retry: { times: retries, delayMs: retryDelayMs },
    failures: statusesOf(draft.failures),
    include: [
      ...(draft.rejected ? (['rejected'] as const) : []),
      ...(draft.replays ? (['replay'] as const) : []),
    ],
  }
}
