import { useEffect, useState } from 'react'
import type { Params } from '#contract/commands.ts'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import type { Refusal } from '#contract/errors.ts'
import type { JobOptions, JobPreview, ReplaySource } from '#contract/replay.ts'
import { useSpanText } from '@/features/replays/job-words.ts'
import { Progress } from '@/shared/components/progress.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import type { Form, Typed } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { useReplaySheet } from '@/shared/live/layers.ts'
import { useReplays } from '@/shared/live/replays.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import type { Sending } from './send-one.tsx'
import type { ChosenTarget } from './target-picker.tsx'

interface JobDraft {
  readonly options: Typed<
    Pick<JobOptions, 'order' | 'concurrency' | 'ratePerSecond' | 'stopAfterFailures' | 'retry'>
  > & {
    readonly gaps: number | null
    /** As typed: `4xx, 500`. */
    readonly failures: string
  }
  readonly keepGaps: boolean
  readonly includeRejected: boolean
  readonly includeReplays: boolean
}

const { order, concurrency, retry, failures } = DEFAULT_JOB_OPTIONS

const statusesOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter(Boolean),
  ),
]

/** The options of a job. The source and the target are chosen elsewhere and added at the start. */
export const JOB_FORM: Form<'jobs.start', JobDraft> = {
  command: 'jobs.start',
  first: {
    options: {
      order,
      concurrency,
      retry,
      ratePerSecond: null,
      stopAfterFailures: null,
      gaps: 1,
      failures: failures.join(', '),
    },
    keepGaps: false,
    includeRejected: false,
    includeReplays: false,
  },
  params: ({ options, keepGaps, includeRejected, includeReplays }) => ({
    source: { type: 'filter', filter: '' },
    options: {
      ...options,
      to: { target: 'target' },
      gaps: keepGaps ? (options.gaps ?? Number.NaN) : null,
      failures: statusesOf(options.failures),
      include: [
        ...(includeRejected ? (['rejected'] as const) : []),
        ...(includeReplays ? (['replay'] as const) : []),
      ],
    },
  }),
}

const PAUSE_MS = 250
/** Pause between requests while the host still searches, so that the window can render. */
const AGAIN_MS = 30

interface Previewed {
  readonly preview: JobPreview | null
  readonly refusal: Refusal | null
  readonly busy: boolean
}

/** Preview of a job; requested again after each change (debounced) and while the host still searches. */
function usePreview(job: Params<'jobs.preview'> | null): Previewed {
  const [shown, setShown] = useState<Previewed>({ preview: null, refusal: null, busy: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the job's JSON represents it
  useEffect(() => {
    if (!job) return
    let current = true
    setShown((before) => ({ ...before, busy: true }))
    const ask = async () => {
      try {
        for (let whole = false; current && !whole; ) {
          const preview = await api.call('jobs.preview', job)
          whole = !preview.searching
          if (current) setShown({ preview, refusal: null, busy: !whole })
          if (!whole) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
        }
      } catch (error) {
        if (current) setShown({ preview: null, refusal: refusalOf(error), busy: false })
      }
    }
    const timer = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [JSON.stringify(job)])
  return shown
}

/** Starts a job for many deliveries. @param source null: none selected */
export function useStartJob(source: ReplaySource | null, to: ChosenTarget): Sending {
  const { t } = useTexts('replays')
  const jobOf = ({ options }: Params<'jobs.start'>, target: string) =>
    source && { source, options: { ...options, to: { target } } }
  const form = useForm({
    form: () => JOB_FORM,
    texts: ['replays', 'options'],
    look: () => ({
      'options.concurrency': { min: 1, max: 256 },
      'options.ratePerSecond': { decimals: 2, optional: true },
      'options.stopAfterFailures': { min: 1, optional: true },
      'options.gaps': { decimals: 2 },
      'options.retry.times': { max: 20 },
    }),
    follow: true,
    send: async (params) => {
      const asked = jobOf(params, await to.keep())
      if (!asked) return
      const job = await api.call('jobs.start', asked)
      useReplays.getState().putJob(job)
      const { close, tell } = useReplaySheet.getState()
      close()
      tell({ what: 'job', job: job.id })
    },
  })
  const { draft, fields, params, dialog } = form
  const previewed = usePreview(params && to.reference !== null ? jobOf(params, to.reference) : null)
  const count = previewed.preview?.count ?? 0
  return {
    dialog,
    ready: params !== undefined && to.reference !== null && count > 0 && !previewed.preview?.searching,
    label: t('sheet.start', { count }),
    done: false,
    part: (
      <>
        {source?.type === 'filter' && source.filter !== '' ? (
          <code className="text-fg-2 text-s leading-[1.5] wrap-anywhere">{source.filter}</code>
        ) : null}
        <div className="grid grid-cols-1 gap-12 w-full">
          {fields('options.order', [
            'options.concurrency',
            'options.ratePerSecond',
            'options.stopAfterFailures',
          ])}
          <details>
            <summary className="w-fit px-4 py-2 -ml-4 rounded-4 text-fg-2 label-s leading-[1.5] cursor-default hover:text-fg">
              {t('options.more')}
            </summary>
            <div className="grid grid-cols-1 gap-12 w-full pt-10 pb-2">
              {fields(
                draft.keepGaps ? ['keepGaps', 'options.gaps'] : 'keepGaps',
                ['options.retry.times', 'options.retry.delayMs', 'options.failures'],
                'includeRejected',
                'includeReplays',
              )}
            </div>
          </details>
        </div>
        <Preview {...previewed} />
      </>
    ),
  }
}

const PREVIEW =
  'grid gap-2 w-full min-h-64 px-12 py-10 rounded bg-sunken text-fg-2 text-s leading-[1.5] tabular-nums'

function Preview({ preview, refusal, busy }: Previewed) {
  const { t, format } = useTexts('replays')
  const spanText = useSpanText()
  if (refusal) return <Refused refusal={refusal} />
  if (!preview) return <div className={PREVIEW}>{busy ? <Spinner label={t('preview.busy')} /> : null}</div>
  const { count, excluded, bytes, oldest, newest, seconds, searching } = preview
  return (
    <div className={PREVIEW} role="status" aria-busy={busy}>
      <p className="flex items-center gap-4 text-fg [&_b]:font-semibold">
        <b>{t('preview.count', { count })}</b>
        {count > 0 ? <span> · {format.bytes(bytes)}</span> : null}
        {busy && !searching ? <Spinner /> : null}
      </p>
      {searching ? (
        <>
          <Progress label={t('preview.progress')} value={searching.scanned} max={searching.of} />
          <p className="text-warning">
            {t('preview.searching', { scanned: searching.scanned, of: searching.of })}
          </p>
        </>
      ) : null}
      {oldest !== null && newest !== null ? <p>{t('preview.span', { from: oldest, to: newest })}</p> : null}
      {count > 0 ? (
        <p>{seconds === null ? t('preview.asFast') : t('preview.atLeast', { span: spanText(seconds) })}</p>
      ) : null}
      {excluded.map(({ reason, count: left }) => (
        <p key={reason} className="text-warning">
          {t(`preview.excluded.${reason}`, { count: left })}
        </p>
      ))}
    </div>
  )
}
