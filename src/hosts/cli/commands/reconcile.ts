import { type Command, Option } from 'commander'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import { AcuseError } from '#contract/errors.ts'
import type { DocumentClass, DocumentRow, Recovery, Sweep } from '#contract/reconcile.ts'
import type { JobOptions } from '#contract/replay.ts'
import { ROUTE_CHOICES } from '#contract/values.ts'
import { rebuiltIds } from '#core/reconcile/rebuild.ts'
import { otherRows } from '#interop/report/gather.ts'
import type { ReportRecovery } from '#interop/report/model.ts'
import { followJob } from '../shared/attempts.ts'
import { type Account, accountOf, checkCredential } from '../shared/connection-change.ts'
import { checkDestinations, destinationFrom } from '../shared/destination.ts'
import { couldNot, EXIT, type ExitCode } from '../shared/failures.ts'
import { examples, wholeNumber, withCommon } from '../shared/options.ts'
import { type Reached, reachExisting, using } from '../shared/reach.ts'
import {
  checkDates,
  checkWords,
  DEFAULT_FAIL_ON,
  failOnFrom,
  LANGUAGES,
  languageOf,
  MOST_PAGE,
  type ReconcileOptions,
  rangesOf,
  reconciliationRecord,
  reportFrom,
  USUAL_PAGE,
} from '../shared/reconcile-options.ts'
import { limitsText, reconciliationText, sweepRange } from '../shared/reconcile-text.ts'
import { checkReportPlace, type Reconciled, writeReportFile } from '../shared/report-file.ts'
import { type CommandContext, stopSignal, type Terminal } from '../shared/terminal.ts'
import { number, painter } from '../shared/text.ts'
import { baseUrlFrom } from './connections.ts'

/** `acuse reconcile`: compares what was captured with the service's own records. */
export function addReconcile(program: Command, { terminal, exitWith }: CommandContext): void {
  const command = program
    .command('reconcile')
    .description(
      "Compare what was captured with the service's own records and say which events were missed, by which rule. Exit code 1 when it found what --fail-on names, 3 when the sweep is incomplete or refused. The API key comes from the connection or ACUSE_API_KEY.",
    )
    .option('--connection <name>', 'the account to reconcile with')
    .option('--base-url <address>', 'the same by the address of the service, for this run', baseUrlFrom)
    .option('--from <date>', "first issue date: a day in the connection's zone, or a date-time with offset")
    .option('--to <date>', 'last issue date, that day included')
    .addOption(
      new Option('--route <route>', 'treasury lists debts only').choices(ROUTE_CHOICES).default('accounting'),
    )
    .option('--document-type-id <n>', 'documents of this type only', wholeNumber(0, 999_999_999))
    .option(
      '--page-size <n>',
      `items asked for at once, up to ${MOST_PAGE}`,
      wholeNumber(1, MOST_PAGE),
      USUAL_PAGE,
    )
    .option(
      '--recover-to <address>',
      'rebuild the missed events and send them there: an http(s) address, or the name of a target',
      destinationFrom,
    )
    .addOption(
      new Option('--fail-on <classes>', 'what makes the exit code 1, such as missing,differs')
        .argParser(failOnFrom)
        .default(DEFAULT_FAIL_ON, 'missing'),
    )
    .option('--report <file>', 'write a report: .html, .csv, .json or .md', reportFrom)
    .addOption(
      new Option('--language <language>', 'of the report; LANG decides when this is left out').choices(
        LANGUAGES,
      ),
    )
    .option('--unmask', 'show the names of customers and suppliers in the report')
  examples(
    withCommon(command, 'print {"route","complete","items","counts","rows"}, one line for each route'),
    [
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
  ).action(async (options: ReconcileOptions) => {
    checkWords(options)
    checkDates(options)
    checkCredential(options, 'apiKey', terminal.env)
    await using(reachExisting(options.data, terminal), async (reached) => {
      const exit = await reconcile(options, reached, terminal)
      if (exit !== 0) exitWith(exit)
    })
  })
}

/** As many as one job takes. */
const MOST_IDS = 100_000

/** Events of one document must reach its handler in order; documents go side by side. */
const OPTIONS: Omit<JobOptions, 'to'> = { ...DEFAULT_JOB_OPTIONS, order: 'document', concurrency: 4 }

const WHY_LEFT: Readonly<Record<Recovery['left'][number]['reason'], string>> = {
  'kind-unknown':
    'nothing says which kind of event it was; say it of its document type with: acuse connections set … --document-types 77=factura',
  'no-document-id': 'the item has no document id',
  'only-possibly-missed': 'an update is only possibly missed',
  'already-rebuilt': 'rebuilt before; send those with: acuse replay --filter is:synthetic --to …',
  ignored: 'a user ignored it with a reason',
  invalid: 'what the item says makes no valid event',
}

/**
 * Rebuilds what a sweep found to be missed as synthetic deliveries, sends them to a target by jobs, and tells the result.
 * @param target a target's name or an address
 */
export async function recover(
  reached: Pick<Reached, 'call'>,
  sweep: Sweep,
  target: string,
  terminal: Terminal,
  stop: Promise<void>,
): Promise<ReportRecovery> {
  const { call } = reached
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
  for (const ids of chunks(rebuilt)) {
    const job = await call('jobs.start', {
      source: { type: 'ids', ids },
      options: { ...OPTIONS, to: { target } },
    })
    const ended = await followJob(
      reached,
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

function chunks(ids: readonly number[]): readonly (readonly number[])[] {
  const found: (readonly number[])[] = []
  for (let at = 0; at < ids.length; at += MOST_IDS) found.push(ids.slice(at, at + MOST_IDS))
  return found
}

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
      `${number(unjudged)} deliveries are still being analysed, so it is not known yet what was missed; nothing was compared. Run it again in a while.`,
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
        // A connection of this run alone has a name that no user gave it.
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

/** A document ignored with a reason is known, and fails no run. */
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
