import { AcuseError } from '#contract/errors.ts'
import type { DocumentClass, DocumentRow, Sweep } from '#contract/reconcile.ts'
import { otherRows } from '#interop/report/gather.ts'
import type { ReportRecovery } from '#interop/report/model.ts'
import { type Account, accountOf } from './account.ts'
import { painter } from './colours.ts'
import { checkDestinations } from './destination.ts'
import { couldNot, EXIT, type ExitCode } from './failures.ts'
import { number } from './job-screen.ts'
import type { Reached } from './reach.ts'
import { languageOf, type ReconcileOptions } from './reconcile-options.ts'
import { rangesOf } from './reconcile-ranges.ts'
import { reconciliationRecord } from './reconcile-record.ts'
import { limitsText, reconciliationText } from './reconcile-text.ts'
import { recover } from './recovering.ts'
import { checkReportPlace, type Reconciled, writeReportFile } from './report-file.ts'
import { stopSignal } from './stop-signal.ts'
import { sweepRange } from './sweep-following.ts'
import type { Terminal } from './terminal.ts'

const ANALYSIS_MS = 60_000
/** One for each date that was not seen whole; the first few tell all that a person can use. */
const PROBLEMS_SAID = 5

/**
 * Sweeps the range, compares, recovers and reports, as the options say.
 * @returns the exit code
 * @throws CommandFailure before anything is sent for what is wrong with the words
 */
export async function reconcile(
  options: ReconcileOptions,
  reached: Reached,
  terminal: Terminal,
): Promise<ExitCode> {
  const account = await accountOf(reached, options, 'apiKey', terminal)
  const ranges = rangesOf(options, account.connection.zone)
  if (options.report !== undefined) await checkReportPlace(options.report)
  if (options.recoverTo !== undefined) await checkDestinations(reached, [options.recoverTo])
  const stop = stopSignal(terminal.say, EXIT.failed)
  // Of a store that is just being made, or brought to a newer form, only this waits: sweeps look into it from a thread of their own.
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
    return await finish(options, { ...reached, account, sweeps, terminal, stop })
  } catch (error) {
    // Another command is at work with the same address: what it uses must not be taken from under it.
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

async function finish(options: ReconcileOptions, run: Run): Promise<ExitCode> {
  const { account, sweeps, terminal } = run
  // Deliveries that came a moment ago must not count as missed because they are not analysed yet.
  const { unjudged } = await run.call('deliveries.settled', { timeoutMs: ANALYSIS_MS })
  if (unjudged > 0)
    throw couldNot(
      `${number(unjudged)} deliveries are still being analysed, so that nobody knows yet what was missed; nothing was compared. Run it again in a while.`,
    )
  const recovery = await recoverIfAsked(options, run)
  const all: Reconciled[] = []
  for (const sweep of sweeps) all.push(await compared(run, sweep))
  for (const { summary } of all)
    if (summary.joinedByNumber)
      terminal.say(
        `No captured event carries any of the ids that ${summary.sweep.range.route}-sync lists, so documents were joined by Number: of events without a Number (dgii, voids) it cannot be told whether they were missed. If the ids stand elsewhere in an item, say where with: acuse connections set NAME --map documentId=/…`,
      )
  for (const { summary } of all)
    if (summary.sweep.state !== 'complete' && summary.notReached > 0)
      terminal.say(
        `As ${summary.sweep.range.route}-sync was not seen whole, nothing is said of ${number(summary.notReached)} captured ${summary.notReached === 1 ? 'document' : 'documents'} issued on dates that it did not reach.`,
      )
  const look = { paint: painter(terminal.coloured), zone: account.connection.zone }
  for (const { summary, rows } of all)
    await terminal.print(
      options.json
        ? `${JSON.stringify(reconciliationRecord(summary, rows))}\n`
        : `${reconciliationText(summary, rows, look)}\n`,
    )
  if (!options.json) await terminal.print(limitsText())
  if (options.report !== undefined)
    await writeReportFile(
      run,
      all,
      {
        file: options.report,
        unmask: options.unmask === true,
        // A connection of this run alone has a name that nobody gave it.
        connection: {
          ...account.connection,
          ...(options.baseUrl === undefined ? {} : { name: options.baseUrl }),
        },
        recovery,
        language: options.language ?? languageOf(terminal.env),
      },
      terminal,
    )
  if (sweeps.some(({ state }) => state !== 'complete')) return EXIT.failed
  if (recovery !== null && recovery.failed > 0) return EXIT.failed
  return all.some(({ rows }) => rows.some((row) => fails(row, options.failOn))) ? EXIT.found : EXIT.done
}

/** What somebody has ignored with a reason is known, and fails no run. */
const fails = (row: DocumentRow, failOn: ReadonlySet<DocumentClass>): boolean =>
  failOn.has(row.class) && row.ignored === null

/** From one sweep only: both routes tell of the same documents. Misses are as true of an incomplete sweep as of a complete one. */
async function recoverIfAsked(options: ReconcileOptions, run: Run): Promise<ReportRecovery | null> {
  const [sweep] = run.sweeps
  if (options.recoverTo === undefined || sweep === undefined || sweep.documents === 0) return null
  await run.call('reconciliation.summary', { sweep: sweep.id })
  return recover(run, sweep, options.recoverTo, run.terminal, run.stop)
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
