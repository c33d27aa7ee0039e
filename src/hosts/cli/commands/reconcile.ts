import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import { AcuseError } from '#contract/errors.ts'
import type { DocumentClass, DocumentRow, Recovery, Sweep } from '#contract/reconcile.ts'
import type { JobOptions } from '#contract/replay.ts'
import { rebuiltIds } from '#core/reconcile/rebuild.ts'
import type { ReportRecovery } from '#interop/report/model.ts'
import { otherRows } from '#interop/report/model.ts'
import { type Account, accountOf, checkAccount } from '../shared/account.ts'
import { followJob } from '../shared/attempts.ts'
import { type Cli, command, defined } from '../shared/command.ts'
import { checkDestinations } from '../shared/destination.ts'
import { couldNot, EXIT, type ExitCode } from '../shared/failures.ts'
import type { Reached } from '../shared/reach.ts'
import {
  checkDates,
  languageOf,
  RECONCILE,
  type ReconcileOptions,
  rangesOf,
  reconciliationRecord,
} from '../shared/reconcile-options.ts'
import { limitsText, reconciliationText, sweepRange } from '../shared/reconcile-text.ts'
import { checkReportPlace, type Reconciled, writeReportFile } from '../shared/report-file.ts'
import { stopSignal, type Terminal } from '../shared/terminal.ts'
import { counted, number, painter } from '../shared/text.ts'

export const reconcile = command({
  name: 'reconcile',
  about:
    "Compare what was captured with the service's own records and report which events were missed, by which rule. Exit code 1 for the classes of --fail-on, 3 when the sweep is incomplete or refused. The API key comes from the connection or ACUSE_API_KEY.",
  options: RECONCILE,
  json: 'print {"route","complete","items","counts","rows"}, one line for each route',
  examples: [
    ['acuse reconcile --connection erp --from 2026-10-01 --to 2026-10-31', 'a month'],
    [
      'acuse reconcile --connection erp --from 2026-10-05 --to 2026-10-05 --recover-to http://127.0.0.1:3000/hook',
      'and send what was missed',
    ],
    [
      'acuse reconcile --base-url http://127.0.0.1:4402 --from 2026-10-01 --to 2026-10-31 --fail-on missing,differs --json',
      'for a script, with ACUSE_API_KEY',
    ],
    [
      'acuse reconcile --connection erp --from 2026-10-01 --to 2026-10-31 --report october.html',
      'to hand over',
    ],
  ],
  async run(options, cli) {
    checkAccount(options, 'apiKey', cli.terminal.env)
    checkDates(options)
    await cli.existing(async (reached) => {
      cli.exitWith(await runReconcile(options, reached, cli))
    })
  },
})

/** Largest number of ids in one job. */
const MOST_IDS = 100_000

/** Events of one document must arrive in order; events of different documents go in parallel. */
const OPTIONS: Omit<JobOptions, 'to'> = { ...DEFAULT_JOB_OPTIONS, order: 'document', concurrency: 4 }

const WHY_LEFT: Readonly<Record<Recovery['left'][number]['reason'], string>> = {
  'kind-unknown':
    'nothing says which kind of event it was; say it of its document type with: acuse connections set … --document-types 77=factura',
  'no-document-id': 'the item has no document id',
  'only-possibly-missed': 'an update is only possibly missed',
  'already-rebuilt': 'rebuilt before; send those with: acuse replay --filter is:synthetic --to …',
  ignored: 'a user ignored it with a reason',
  invalid: 'what the item says makes no valid event',
  'nothing-missed': 'no event of them was missed',
}

/** Rebuilds the missed events of a sweep as synthetic deliveries, sends them to a target in jobs, and reports the result. */
export async function recover(
  { call, terminal, stop }: Pick<Run, 'call' | 'terminal' | 'stop'>,
  sweep: Sweep,
  target: string,
): Promise<ReportRecovery> {
  const recovery = await call('recovery.rebuild', {
    sweep: sweep.id,
    select: { classes: ['missing', 'differs'] },
  })
  for (const { reason, documents } of recovery.left)
    terminal.say(`Not rebuilt for ${number(documents)} documents: ${WHY_LEFT[reason]}.`)
  for (const { kind, field, events } of recovery.absent)
    terminal.say(`${number(events)} rebuilt ${kind} have no ${field}: the service's items lack it.`)
  let sent = 0
  let failed = 0
  const rebuilt = await rebuiltIds((params) => call('recovery.deliveries', params), sweep.id, recovery.ids)
  for (let at = 0; at < rebuilt.length; at += MOST_IDS) {
    const job = await call('jobs.start', {
      source: { type: 'ids', ids: rebuilt.slice(at, at + MOST_IDS) },
      options: { ...OPTIONS, to: { target } },
    })
    const ended = await followJob(
      { call },
      job.id,
      0,
      {
        attempts: async () => {},
        progress: ({ done, total }) => terminal.progress(`Recovering: ${number(done)} of ${number(total)}`),
        paused: ({ state }) =>
          terminal.say(state === 'paused' ? `Job ${job.id} was paused.` : `Job ${job.id} goes on.`),
      },
      stop,
    )
    terminal.progress(null)
    sent += ended.done
    failed += ended.total - ended.done
    if (ended.lastError !== null && ended.failed > 0) terminal.say(`Last failure: ${ended.lastError.message}`)
  }
  terminal.say(
    recovery.events === 0
      ? 'There was nothing to recover.'
      : `Recovered: ${number(recovery.events)} events of ${number(recovery.documents)} documents rebuilt as synthetic deliveries and sent to ${target}: ${number(sent)} taken, ${number(failed)} failed.`,
  )
  return { target, events: recovery.events, sent, failed }
}

const ANALYSIS_MS = 60_000
/** Problems of a sweep that are printed: each incomplete date has one, and the first few are enough for the user. */
const PROBLEMS_SAID = 5

/** Sweeps the range, compares, recovers and reports. @returns the exit code */
export async function runReconcile(options: ReconcileOptions, reached: Reached, cli: Cli): Promise<ExitCode> {
  const { terminal } = cli
  const account = await accountOf(reached, options, 'apiKey', terminal)
  const ranges = rangesOf(options, account.connection.zone)
  if (options.report !== undefined) await checkReportPlace(options.report)
  if (options.recoverTo !== undefined) await checkDestinations(reached, [options.recoverTo])
  const stop = stopSignal(terminal.say, EXIT.failed)
  // This call waits for a store that is being created or migrated. Sweeps would not: they read it from another thread.
  await reached.call('deliveries.page', { filter: '', from: 'newest', limit: 1 })
  const sweeps: Sweep[] = []
  await account.open()
  let keep = false
  try {
    for (const range of ranges) {
      const sweep = await sweepRange(reached, account.connection.name, range, terminal, stop)
      keep = sweep.state === 'paused' || sweep.state === 'running'
      if (keep) throw couldNot(pausedText(sweep))
      sayProblems(sweep, terminal)
      sweeps.push(sweep)
    }
    return await finish(options, { call: reached.call, account, sweeps, terminal, stop }, cli)
  } catch (error) {
    // Another command uses the same temporary connection, so it must stay.
    if (error instanceof AcuseError && error.code === 'conflict') keep = true
    throw error
  } finally {
    await account.close(keep)
  }
}

interface Run {
  readonly call: Reached['call']
  readonly account: Account
  readonly sweeps: readonly Sweep[]
  readonly terminal: Terminal
  readonly stop: Promise<void>
}

async function finish(options: ReconcileOptions, run: Run, cli: Cli): Promise<ExitCode> {
  const { account, sweeps, terminal } = run
  // A recent delivery that is not analysed yet must not count as missed.
  const { unjudged } = await run.call('deliveries.settled', { timeoutMs: ANALYSIS_MS })
  if (unjudged > 0)
    throw couldNot(
      `${number(unjudged)} deliveries are still being analysed, so it is not known yet what was missed; nothing was compared. Run it again in a while.`,
    )
  const recovery = await recoverIfAsked(options, run)
  const all: Reconciled[] = []
  for (const sweep of sweeps) all.push(await compared(run, sweep))
  for (const { summary } of all)
    if (summary.joinedByNumber)
      terminal.say(
        `No captured event carries any of the ids that ${summary.sweep.range.route}-sync lists, so documents were joined by Number. Acuse cannot tell whether events without a Number (dgii, voids) were missed. If the ids are elsewhere in an item, say where with: acuse connections set NAME --map documentId=/…`,
      )
  for (const { summary } of all)
    if (summary.sweep.state !== 'complete' && summary.notReached > 0)
      terminal.say(
        `As ${summary.sweep.range.route}-sync was not seen whole, nothing is said of ${counted(summary.notReached, 'captured document')} issued on dates that it did not reach.`,
      )
  const style = { paint: painter(terminal.coloured), zone: account.connection.zone }
  for (const { summary, rows } of all)
    await cli.print(reconciliationRecord(summary, rows), `${reconciliationText(summary, rows, style)}\n`)
  if (!cli.json) await terminal.print(limitsText())
  if (options.report !== undefined)
    await writeReportFile(
      run,
      all,
      {
        file: options.report,
        unmask: options.unmask,
        // A temporary connection has a generated name, so the report shows its address.
        connection: { ...account.connection, ...defined({ name: options.baseUrl }) },
        recovery,
        language: options.language ?? languageOf(terminal.env),
      },
      terminal,
    )
  if (sweeps.some(({ state }) => state !== 'complete')) return EXIT.failed
  if (recovery !== null && recovery.failed > 0) return EXIT.failed
  return all.some(({ rows }) => rows.some((row) => fails(row, options.failOn))) ? EXIT.found : EXIT.done
}

/** A document that a user has ignored with a reason does not fail a run. */
const fails = (row: DocumentRow, failOn: ReadonlySet<DocumentClass>): boolean =>
  failOn.has(row.class) && row.ignored === null

/** Uses one sweep only, since both routes list the same documents. An incomplete sweep will do: its misses are certain too. */
async function recoverIfAsked(options: ReconcileOptions, run: Run): Promise<ReportRecovery | null> {
  const [sweep] = run.sweeps
  if (options.recoverTo === undefined || sweep === undefined || sweep.documents === 0) return null
  await run.call('reconciliation.summary', { sweep: sweep.id })
  return recover(run, sweep, options.recoverTo)
}

async function compared({ call }: Run, sweep: Sweep): Promise<Reconciled> {
  const { id } = sweep
  const summary = await call('reconciliation.summary', { sweep: id })
  return { summary, rows: await otherRows(call, id) }
}

function sayProblems({ problems }: Sweep, terminal: Terminal): void {
  for (const { message } of problems.slice(0, PROBLEMS_SAID)) terminal.say(message)
  if (problems.length > PROBLEMS_SAID)
    terminal.say(`… and ${number(problems.length - PROBLEMS_SAID)} more of the kind.`)
}

const pausedText = ({ id, state, reached }: Sweep): string =>
  `Sweep ${id} ${state === 'paused' ? 'was paused' : 'is being paused'}${reached === null ? '' : ` at ${reached}`}; nothing was compared. The same command goes on from there.`
