import { useTranslation } from 'react-i18next'
import type { SandboxLogBrief, SandboxOutcome } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { useFormat, useLanguage } from '@/shared/i18n/format.ts'
import { useRoute } from '@/shared/live/route.ts'
import { useLogFilter } from './log-source.ts'
import words from './operations.es.json'
import type { FollowedRun } from './runs.ts'

/** A sign beside the colour: neither colour-blindness nor forced colours may take the meaning away. */
const LOOKS: Readonly<Record<SandboxOutcome, readonly [sign: string, colour: string]>> = {
  delivered: ['✓', 'text-valid'],
  refused: ['✕', 'text-invalid'],
  failed: ['✕', 'text-invalid'],
  'timed-out': ['✕', 'text-invalid'],
  cut: ['✕', 'text-invalid'],
  lost: ['○', 'text-warning'],
  'not-dispatched': ['–', 'text-fg-2'],
}

const SPANISH: Readonly<Record<'deeds' | 'errors', Readonly<Record<string, string>>>> = words
/** Of these the sandbox tells more than the code does. */
const TOLD: readonly unknown[] = ['connection', 'certificate', 'not-tls', 'answer-broken']

export function useEntryText() {
  const spanish = useLanguage() === 'es'
  const format = useFormat()
  return {
    deeds: ({ deeds, laboratory }: SandboxLogBrief): readonly string[] =>
      spanish
        ? deeds.map(({ code, ms }) =>
            [SPANISH.deeds[code], ms && format.duration(ms * 1_000)].filter(Boolean).join(': '),
          )
        : laboratory,
    error: ({ error, errorCode }: SandboxLogBrief): string | null => {
      const why = spanish && errorCode ? SPANISH.errors[errorCode] : undefined
      return why && TOLD.includes(errorCode) ? `${why} (${error})` : (why ?? error)
    },
  }
}

export interface OutcomeMarkProps {
  readonly outcome: SandboxOutcome
  /** How many, in front of the word. */
  readonly count?: string
}

export function OutcomeMark({ outcome, count }: OutcomeMarkProps) {
  const { t } = useTranslation('sandbox')
  const [sign, colour] = LOOKS[outcome]
  return (
    <span className={cx('inline-flex items-baseline gap-5 text-s tabular-nums whitespace-nowrap', colour)}>
      <b className="flex-none w-10 font-bold" aria-hidden="true">
        {sign}
      </b>
      {count === undefined ? null : `${count} `}
      {/* The only cause for an event not to be dispatched at all is the plan. */}
      {t(outcome === 'not-dispatched' ? 'outcome.plan' : `outcome.${outcome}`)}
    </span>
  )
}

export function Answered({ entry }: { readonly entry: SandboxLogBrief }) {
  const { t } = useTranslation('sandbox')
  if (entry.status === null) return null
  const took = (entry.durationMs ?? 0) * 1_000
  return <span className="text-fg-2">{t('result.answered', { status: entry.status, took })}</span>
}

/** The result of a run, in one line: events, outcomes, the answer when it was one, and where to look further. */
export function RunResult({ run }: { readonly run: FollowedRun }) {
  const { t } = useTranslation('sandbox')
  const entryText = useEntryText()
  const format = useFormat()
  const go = useRoute((s) => s.go)
  const entries = Object.values(run.outcomes).reduce((sum, n) => sum + n, 0)
  const only = entries === 1 && run.ended ? run.last : null
  // Beside those that say it themselves: what was refused, failed or cut did not reach its target either.
  const missed = run.lost - (run.outcomes.lost ?? 0) - (run.outcomes['not-dispatched'] ?? 0)
  const toStream = () => {
    useFilter.getState().set(run.subject ?? '')
    go('stream')
  }
  const toLog = () => {
    const [only] = run.runs
    // The log is asked for one run; of several, their document or all of it is what they have in common.
    useLogFilter.setState({ filter: only !== undefined && run.runs.length === 1 ? { run: only } : {} })
    go('sandbox', 'log')
  }
  return (
    <div className="flex flex-wrap items-center gap-x-12 gap-y-2 min-h-24 text-s tabular-nums" role="status">
      <span className="text-fg font-medium">
        {run.events === 0 && run.ended ? t('result.noEvents') : t('result.events', { count: run.events })}
      </span>
      {(Object.keys(LOOKS) as SandboxOutcome[]).map((outcome) => {
        const count = run.outcomes[outcome] ?? 0
        if (count === 0) return null
        return (
          <OutcomeMark key={outcome} outcome={outcome} {...(only ? {} : { count: format.number(count) })} />
        )
      })}
      {missed > 0 ? <span className="text-warning">{t('result.lost', { count: missed })}</span> : null}
      {only ? <Answered entry={only} /> : null}
      {only?.error ? <span className="text-invalid wrap-anywhere">{entryText.error(only)}</span> : null}
      {run.pending > 0 ? (
        <span className="text-fg-2">{t('result.waiting', { count: run.pending })}</span>
      ) : null}
      {run.ended && run.events > 0 && entries === 0 ? (
        <span className="text-fg-2">{t('result.none')}</span>
      ) : null}
      {run.problem ? (
        <span className={run.reason === 'stopped' ? 'text-fg-2' : 'text-invalid wrap-anywhere'}>
          {run.reason === 'stopped' ? t('scenarios.cancelled') : run.problem}
        </span>
      ) : null}
      {entries > 0 ? (
        <span className="inline-flex gap-2 ml-auto">
          {run.outcomes.delivered ? (
            <Button small variant="quiet" onClick={toStream}>
              {t('result.toStream')}
            </Button>
          ) : null}
          <Button small variant="quiet" onClick={toLog}>
            {t('result.toLog')}
          </Button>
        </span>
      ) : null}
    </div>
  )
}
