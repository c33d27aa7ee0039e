import type { SandboxLogBrief, SandboxOperation, SandboxOutcome } from '#contract/sandbox.ts'
import { SANDBOX_OUTCOMES } from '#contract/values.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { useFormat, useLanguage, useTexts } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import refusals from '@/shared/i18n/sandbox-refusals.es.json'
import { useRoute } from '@/shared/live/route.ts'
import words from './operations.es.json'
import { type FollowedRun, useLogFilter } from './sandbox.ts'

type Words = Readonly<Record<string, string>>
const SPANISH: Readonly<Record<keyof typeof words | 'refusals', Words>> = { ...words, refusals }
/** Codes whose message contains more than the code. */
const TOLD: readonly unknown[] = ['connection', 'certificate', 'not-tls', 'answer-broken']

/** Translates the sandbox's English texts by their codes; unknown ones stay as they are. */
export function useSandboxText() {
  const spanish = useLanguage() === 'es'
  const format = useFormat()
  const said = (of: keyof typeof SPANISH, name: unknown) => (spanish ? SPANISH[of][String(name)] : undefined)
  return {
    said,
    operation: ({ name, summary }: SandboxOperation) => said('operations', name) ?? summary,
    deeds: ({ deeds, laboratory }: SandboxLogBrief): readonly string[] =>
      spanish
        ? deeds.map(({ code, ms }) =>
            [said('deeds', code), ms && format.duration(ms * 1_000)].filter(Boolean).join(': '),
          )
        : laboratory,
    error: ({ error, errorCode }: SandboxLogBrief): string | null => {
      const why = said('errors', errorCode)
      return why && TOLD.includes(errorCode) ? `${why} (${error})` : (why ?? error)
    },
    /** Name of an operation, a scenario or another cause. */
    cause: (cause: string) =>
      said('operations', cause) ?? said('scenarios', cause) ?? said('causes', cause) ?? cause,
    /** Why the sandbox could not create events. */
    failure: (code: string | null, message: string | null) => said('refusals', code) ?? message ?? '',
  }
}

/** The signs repeat the colours' meaning, for colour-blind users and forced colours. */
const BAD = ['✕', 'text-invalid'] as const
const LOOKS: Readonly<Record<SandboxOutcome, readonly [sign: string, colour: string]>> = {
  delivered: ['✓', 'text-valid'],
  refused: BAD,
  failed: BAD,
  'timed-out': BAD,
  cut: BAD,
  lost: ['○', 'text-warning'],
  'not-dispatched': ['–', 'text-fg-2'],
}

/** @param count shown before the word */
export function OutcomeMark({
  outcome,
  count,
}: {
  readonly outcome: SandboxOutcome
  readonly count?: string
}) {
  const { t } = useTexts('sandbox')
  const [sign, colour] = LOOKS[outcome]
  return (
    <span className={cx('inline-flex items-baseline gap-5 text-s tabular-nums whitespace-nowrap', colour)}>
      <b className="flex-none w-10 font-bold" aria-hidden="true">
        {sign}
      </b>
      {count === undefined ? null : `${count} `}
      {/* Only the account's plan can prevent the dispatch of an event. */}
      {t(outcome === 'not-dispatched' ? 'outcome.plan' : `outcome.${outcome}`)}
    </span>
  )
}

/** Result of an attempt: outcome, answer, or why there is no answer. */
export function Outcome({ entry }: { readonly entry: SandboxLogBrief }) {
  const { t } = useTexts('sandbox')
  const error = useSandboxText().error(entry)
  const { outcome, status, durationMs } = entry
  return (
    <>
      <OutcomeMark outcome={outcome} />
      {status === null ? null : (
        <span className="text-fg-2">{t('result.answered', { status, took: (durationMs ?? 0) * 1_000 })}</span>
      )}
      {error === null ? null : <span className="text-invalid wrap-anywhere">{error}</span>}
    </>
  )
}

/** Result of a run in one line: events, outcomes, a single answer, and a link to the log. */
export function RunResult({ run }: { readonly run: FollowedRun }) {
  const { t, format } = useTexts('sandbox')
  const { failure } = useSandboxText()
  const refusalText = useRefusalText()
  const go = useRoute((s) => s.go)
  const { events, outcomes, entries, pending, ended, early, refusal } = run
  const only = entries === 1 && ended ? run.last : null
  // Other losses; the outcomes already count these two.
  const missed = run.lost - (outcomes.lost ?? 0) - (outcomes['not-dispatched'] ?? 0)
  const toStream = () => {
    useFilter.getState().set(run.subject ?? '')
    go('stream')
  }
  const toLog = () => {
    // The log filters by one run; for several, show the whole log.
    const [first] = run.runs
    useLogFilter.setState({ filter: first !== undefined && run.runs.length === 1 ? { run: first } : {} })
    go('sandbox', 'log')
  }
  const grey = (text: string | false) => (text === false ? null : <span className="text-fg-2">{text}</span>)
  return (
    <div className="flex flex-wrap items-center gap-x-12 gap-y-2 min-h-24 text-s tabular-nums" role="status">
      <span className="text-fg font-medium">
        {t(events === 0 && ended ? 'result.noEvents' : 'result.events', { count: events })}
      </span>
      {only ? (
        <Outcome entry={only} />
      ) : (
        SANDBOX_OUTCOMES.map((outcome) => {
          const count = outcomes[outcome] ?? 0
          return count === 0 ? null : (
            <OutcomeMark key={outcome} outcome={outcome} count={format.number(count)} />
          )
        })
      )}
      {missed > 0 ? <span className="text-warning">{t('result.lost', { count: missed })}</span> : null}
      {grey(pending > 0 && t('result.waiting', { count: pending }))}
      {grey(ended && events > 0 && entries === 0 && t('result.none'))}
      {grey(early?.reason === 'stopped' && t('scenarios.cancelled'))}
      {early?.reason === 'failed' || refusal ? (
        <span className="text-invalid wrap-anywhere">
          {refusal ? refusalText(refusal) : failure(early?.failure ?? null, early?.error ?? null)}
        </span>
      ) : null}
      {entries > 0 ? (
        <span className="inline-flex gap-2 ml-auto">
          {outcomes.delivered ? (
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
