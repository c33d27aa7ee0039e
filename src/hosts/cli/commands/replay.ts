import type { Command } from 'commander'
import { messageOf } from '#contract/errors.ts'
import type { Job, JobOptions, JobPreview, ReplaySource } from '#contract/replay.ts'
import { followJob, jobScreen } from '../shared/attempts.ts'
import { checkDestinations } from '../shared/destination.ts'
import { CommandFailure, couldNot, EXIT, type ExitCode } from '../shared/failures.ts'
import { examples, namedFilter, withCommon } from '../shared/options.ts'
import { type Reached, reachExisting, using } from '../shared/reach.ts'
import { local, utc } from '../shared/records.ts'
import { jobOptionsOf, type ReplayOptions, sourceOf, withReplayOptions } from '../shared/replay-options.ts'
import { type CommandContext, stopSignal, type Terminal } from '../shared/terminal.ts'
import { duration, number } from '../shared/text.ts'

/** `acuse replay`: sends captured deliveries again, by a job that it follows to its end. */
export function addReplay(program: Command, { terminal, exitWith }: CommandContext): void {
  const command = withReplayOptions(
    program
      .command('replay')
      .description(
        'Send captured deliveries again, byte for byte. Exit code 1 when one failed. Malformed requests, rejected deliveries and replays that came back are left out.',
      ),
  ).option('--dry-run', 'send nothing: say how many would be sent, what is left out, how long it takes')
  examples(
    withCommon(command, 'print one JSON line per attempt, then {"sent","failed","skipped"} in deliveries'),
    [
      ['acuse replay --id 42 --to http://127.0.0.1:3000/hook', 'one delivery'],
      ["acuse replay --filter 'kind:factura.*' --to staging --dry-run", 'what would be sent to a target'],
      [
        "acuse replay --filter '' --to staging --order document --concurrency 16",
        'everything, documents side by side',
      ],
      ['acuse replay --document 3f2a… --to http://127.0.0.1:3000/hook --keep-gaps 0.1', 'ten times as fast'],
      ["acuse replay --id 7 --to staging --header 'X-Try: 2' --retries 3 --fail-on 5xx", 'until it is taken'],
    ],
  ).action(async (options: ReplayOptions) => {
    // What is wrong with the words is told before any store is opened.
    sourceOf(options)
    jobOptionsOf(options)
    await using(reachExisting(options.data, terminal), async (reached) => {
      const exit = await replay(options, reached, terminal)
      if (exit !== 0) exitWith(exit)
    })
  })
}

const ANALYSIS_MS = 30_000

/** What became of the deliveries selected: each is in one of the three. */
interface Summary {
  /** Sent, and taken as success. */
  readonly sent: number
  readonly failed: number
  /** Excluded, or not sent any more since the job was cancelled or stopped. */
  readonly skipped: number
}

interface Plan {
  readonly source: ReplaySource
  readonly options: JobOptions
}

/**
 * Sends what the options select and shows it, or with --dry-run only says what would be sent.
 * @returns the exit code
 * @throws CommandFailure before anything is sent: for words that are wrong, deliveries or targets that do not exist
 */
export async function replay(
  options: ReplayOptions,
  reached: Reached,
  terminal: Terminal,
): Promise<ExitCode> {
  const filter = options.filter === undefined ? {} : { filter: await namedFilter(reached, options.filter) }
  const plan = { source: sourceOf({ ...options, ...filter }), options: jobOptionsOf(options) }
  await checkDestinations(reached, [options.to])
  // A filter selects by what analysis found.
  const { unjudged } = await reached.call('deliveries.settled', { timeoutMs: ANALYSIS_MS })
  if (unjudged > 0 && plan.source.type !== 'ids')
    terminal.say(
      `${number(unjudged)} deliveries are not analysed yet, so the selection may miss some of them.`,
    )
  const preview = await wholePreview(reached, plan, terminal)
  await refuseMissing(reached, plan, preview)
  const json = options.json === true
  if (options.dryRun) {
    await terminal.print(json ? `${JSON.stringify(previewRecord(preview))}\n` : previewText(preview))
    return EXIT.done
  }
  const excluded = sum(preview)
  if (preview.count === 0) {
    terminal.say(`There is nothing to send${excluded > 0 ? `: ${exclusions(preview)}` : ''}.`)
    await terminal.print(summaryText({ sent: 0, failed: 0, skipped: excluded }, json))
    return EXIT.done
  }
  const stop = stopSignal(terminal.say, EXIT.failed)
  const job = await reached.call('jobs.start', plan)
  if (excluded > 0) terminal.say(`Not sent: ${exclusions(preview)}.`)
  return finish(await follow(reached, job, 0, json, terminal, stop), excluded, json, terminal)
}

/** A filter that no index answers takes a while: each answer says how far it is, and the next question goes on. */
async function wholePreview(reached: Reached, plan: Plan, terminal: Terminal): Promise<JobPreview> {
  try {
    for (;;) {
      const preview = await reached.call('jobs.preview', plan)
      if (!preview.searching) return preview
      const { scanned, of } = preview.searching
      terminal.progress(
        `Looked at ${number(scanned)} of ${number(of)} deliveries: ${number(preview.count)} selected`,
      )
    }
  } finally {
    terminal.progress(null)
  }
}

/** Follows a job to its end. @param after attempts up to this id are left out; @returns the job as it is then */
export async function follow(
  reached: Reached,
  { id, total }: Job,
  after: number,
  json: boolean,
  terminal: Terminal,
  stop: Promise<void>,
): Promise<Job> {
  try {
    return await followJob(reached, id, after, jobScreen(terminal, total, json), stop)
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    const why = messageOf(error)
    throw couldNot(
      `Job ${id} cannot be followed any more: ${why} "acuse jobs show ${id}" says how far it is.`,
    )
  } finally {
    terminal.progress(null)
  }
}

/** Prints the last line and says why not all was sent. @returns the exit code */
export async function finish(
  job: Job,
  excluded: number,
  json: boolean,
  terminal: Terminal,
): Promise<ExitCode> {
  const { id, done, failed, total, state } = job
  const left = total - done - failed
  if (state === 'cancelled') terminal.say(`Cancelled; ${number(left)} of ${number(total)} were not sent.`)
  if (state === 'stopped')
    terminal.say(
      `Stopped after ${number(failed)} failed; ${number(left)} of ${number(total)} were not sent. They are sent with: acuse jobs resume ${id}`,
    )
  await terminal.print(summaryText({ sent: done, failed, skipped: excluded + left }, json))
  if (failed > 0) return EXIT.found
  return state === 'done' ? EXIT.done : EXIT.failed
}

function summaryText(summary: Summary, json: boolean): string {
  if (json) return `${JSON.stringify(summary)}\n`
  return `${number(summary.sent)} sent, ${number(summary.failed)} failed, ${number(summary.skipped)} skipped.\n`
}

/** An id that was mistyped must not pass for one that was sent. */
async function refuseMissing(reached: Reached, { source }: Plan, preview: JobPreview): Promise<void> {
  if (source.type !== 'ids' || preview.count + sum(preview) >= source.ids.length) return
  for (const id of source.ids) await reached.call('deliveries.get', { id })
}

const sum = ({ excluded }: JobPreview): number => excluded.reduce((all, { count }) => all + count, 0)
const exclusions = ({ excluded }: JobPreview): string =>
  excluded
    .filter(({ count }) => count > 0)
    .map(({ reason, count }) => `${number(count)} ${reason}`)
    .join(', ')

const instant = (micros: number | null) => (micros === null ? null : utc(micros))

function previewRecord(preview: JobPreview) {
  const of = (wanted: string) => preview.excluded.find(({ reason }) => reason === wanted)?.count ?? 0
  return {
    count: preview.count,
    excluded: { malformed: of('malformed'), rejected: of('rejected'), replay: of('replay') },
    bytes: preview.bytes,
    oldest: instant(preview.oldest),
    newest: instant(preview.newest),
    seconds: preview.seconds,
  }
}

function previewText(preview: JobPreview): string {
  const { count, bytes, oldest, newest, seconds } = preview
  const span = oldest === null || newest === null ? '' : `, received ${local(oldest)} to ${local(newest)}`
  const lines = [
    `Would be sent  ${number(count)} ${count === 1 ? 'delivery' : 'deliveries'}, ${number(bytes)} bytes${span}`,
    ...(sum(preview) > 0 ? [`Left out       ${exclusions(preview)}`] : []),
    ...(seconds === null ? [] : [`Takes at least ${duration(seconds)}`]),
  ]
  return `${lines.join('\n')}\n`
}
