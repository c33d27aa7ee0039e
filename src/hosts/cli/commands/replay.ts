import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import { messageOf } from '#contract/errors.ts'
import {
  type Job,
  type JobOptions,
  type JobPreview,
  jobOptions,
  type ReplaySource,
} from '#contract/replay.ts'
import { followJob, jobScreen } from '../shared/attempts.ts'
import {
  type Cli,
  changed,
  changeOf,
  command,
  defined,
  flag,
  many,
  membersOf,
  option,
  required,
  type Values,
} from '../shared/command.ts'
import { checkDestinations, destinationFrom, headerOf } from '../shared/destination.ts'
import { CommandFailure, couldNot, EXIT, type ExitCode, wrongUsage } from '../shared/failures.ts'
import { namedFilter, type Reached } from '../shared/reach.ts'
import { local, utc } from '../shared/records.ts'
import { stopSignal, type Terminal } from '../shared/terminal.ts'
import { duration, listed, number, visible } from '../shared/text.ts'

const whole = (least: number, most = 999_999_999) => z.int().min(least).max(most)
const member = membersOf<JobOptions>(jobOptions, DEFAULT_JOB_OPTIONS)
const OPTIONS = {
  filter: option('<filter>', 'send those the filter selects (as in the window); "" selects all'),
  id: many<number>('<n...>', 'send these deliveries, by their ids', idsFrom),
  document: option('<id>', "send all of one document's deliveries"),
  to: required('<address>', 'where to: an http(s) address, or the name of a target', destinationFrom),
  header: many('<name: value>', 'send this header too, or in place of the one received; repeatable'),
  rate: member('ratePerSecond', '<n>', 'send at most this many per second'),
  concurrency: member('concurrency', '<n>', 'deliveries in flight at most'),
  order: member('order', '<order>', "in order of arrival, or only each document's deliveries in order"),
  keepGaps: member('gaps', '<x>', 'keep the gaps between arrivals, times x'),
  stopAfter: option('<n>', 'stop after this many failures', whole(1)),
  retries: member('retry.times', '<n>', 'retry each this many times'),
  retryDelay: { ...member('retry.delayMs', '<ms>', 'wait so long before trying again'), needs: 'retries' },
  failOn: option(
    '<statuses>',
    'what counts as failure, such as 4xx,503 (default: all but 2xx)',
    statusesFrom,
  ),
  include: option('<what>', 'rejected, replay or both: send those too', includedFrom),
  dryRun: flag('send nothing: say how many would be sent, what is left out, how long it takes'),
}
type Given = Values<typeof OPTIONS>

const MOST_IDS = 100_000
const INCLUDABLE = ['rejected', 'replay'] as const
function idsFrom(text: string): readonly number[] {
  const ids = listed(text).map((word) => (/^\d{1,15}$/.test(word) ? Number(word) : 0))
  if (ids.some((id) => id < 1)) throw new InvalidArgumentError('Give a whole number from 1.')
  return ids
}

function statusesFrom(text: string): readonly string[] {
  const statuses = listed(text.toLowerCase())
  if (statuses.length > 0 && statuses.every((one) => /^[1-5](?:xx|\d\d)$/.test(one))) return statuses
  throw new InvalidArgumentError('Give statuses with commas between them, such as 404,5xx.')
}

function includedFrom(text: string): JobOptions['include'] {
  const wanted = listed(text)
  const wrong = wanted.find((word) => !INCLUDABLE.some((one) => one === word))
  if (wrong === 'malformed')
    throw new InvalidArgumentError(
      'Acuse cannot replay malformed requests byte for byte, so it never sends them.',
    )
  if (wrong !== undefined || wanted.length === 0)
    throw new InvalidArgumentError(
      `Give ${INCLUDABLE.join(', ')} or both${wrong ? `, not "${visible(wrong)}"` : ''}.`,
    )
  return INCLUDABLE.filter((one) => wanted.includes(one))
}

/** @throws CommandFailure unless exactly one of the three options is given */
function sourceOf({ filter, id, document }: Pick<Given, 'filter' | 'id' | 'document'>): ReplaySource {
  if ([filter, id, document].filter((one) => one !== undefined).length !== 1)
    throw wrongUsage('Select the deliveries with exactly one of --filter, --id and --document.')
  if (filter !== undefined) return { type: 'filter', filter }
  if (document !== undefined) return { type: 'document', documentId: document }
  const ids = [...new Set(id)]
  if (ids.length > MOST_IDS)
    throw wrongUsage(`At most ${MOST_IDS} ids can be given; select with --filter instead.`)
  return { type: 'ids', ids }
}

function jobOptionsOf(given: Given): JobOptions {
  const headers = given.header?.map(headerOf).map(({ name, value }) => [name, value] as const)
  return {
    ...changed(DEFAULT_JOB_OPTIONS, changeOf(OPTIONS, given)),
    to: { target: given.to, ...defined({ headers }) },
    stopAfterFailures: given.stopAfter ?? null,
    failures: given.failOn ?? DEFAULT_JOB_OPTIONS.failures,
    include: given.include ?? [],
  }
}

export const replay = command({
  name: 'replay',
  about:
    'Send captured deliveries again, byte for byte. Exit code 1 when one failed. Skips malformed requests, rejected deliveries, and replays that Acuse received.',
  options: OPTIONS,
  json: 'print one JSON line per attempt, then {"sent","failed","skipped"} in deliveries',
  examples: [
    ['acuse replay --id 42 --to http://127.0.0.1:3000/hook', 'one delivery'],
    ["acuse replay --filter 'kind:factura.*' --to staging --dry-run", 'what would be sent to a target'],
    [
      "acuse replay --filter '' --to staging --order document --concurrency 16",
      'everything, documents side by side',
    ],
    ['acuse replay --document 3f2a… --to http://127.0.0.1:3000/hook --keep-gaps 0.1', 'ten times as fast'],
    ["acuse replay --id 7 --to staging --header 'X-Try: 2' --retries 3 --fail-on 5xx", 'until it is taken'],
  ],
  async run(given, cli) {
    // Check the words before a store is opened.
    const [source, options] = [sourceOf(given), jobOptionsOf(given)]
    await cli.existing(async (reached) => {
      const selected =
        source.type === 'filter' ? { ...source, filter: await namedFilter(reached, source.filter) } : source
      cli.exitWith(await send({ source: selected, options }, given.dryRun, reached, cli))
    })
  },
})

const ANALYSIS_MS = 30_000

/** Counts of the selected deliveries; each is in exactly one of them. */
interface Summary {
  readonly sent: number
  readonly failed: number
  /** Excluded, or not sent because the job was cancelled or stopped. */
  readonly skipped: number
}

interface Plan {
  readonly source: ReplaySource
  readonly options: JobOptions
}

/** Sends the plan's deliveries, or with `dryRun` only prints them. @throws CommandFailure before the first attempt, for an unknown target */
async function send(plan: Plan, dryRun: boolean, reached: Reached, cli: Cli): Promise<ExitCode> {
  const { terminal } = cli
  await checkDestinations(reached, [plan.options.to.target])
  // A filter needs the results of analysis.
  const { unjudged } = await reached.call('deliveries.settled', { timeoutMs: ANALYSIS_MS })
  if (unjudged > 0 && plan.source.type !== 'ids')
    terminal.say(
      `${number(unjudged)} deliveries are not analysed yet, so the selection may miss some of them.`,
    )
  const preview = await wholePreview(reached, plan, terminal)
  await refuseMissing(reached, plan, preview)
  if (dryRun) {
    await cli.print(previewRecord(preview), previewText(preview))
    return EXIT.done
  }
  const excluded = sum(preview)
  if (preview.count === 0) {
    terminal.say(`There is nothing to send${excluded > 0 ? `: ${exclusions(preview)}` : ''}.`)
    await printSummary({ sent: 0, failed: 0, skipped: excluded }, cli)
    return EXIT.done
  }
  const stop = stopSignal(terminal.say, EXIT.failed)
  const job = await reached.call('jobs.start', plan)
  if (excluded > 0) terminal.say(`Not sent: ${exclusions(preview)}.`)
  return finish(await follow(reached, job, 0, cli, stop), excluded, cli)
}

/** Without an index a filter takes several calls: each one continues the scan and returns its progress. */
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

/** Follows a job to its end. @param after skips attempts up to this id @returns the job at its end */
export async function follow(
  reached: Reached,
  { id, total }: Job,
  after: number,
  cli: Cli,
  stop: Promise<void>,
): Promise<Job> {
  try {
    return await followJob(reached, id, after, jobScreen(cli, total), stop)
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    const why = messageOf(error)
    throw couldNot(`Job ${id} can no longer be followed: ${why} "acuse jobs show ${id}" shows its progress.`)
  } finally {
    cli.terminal.progress(null)
  }
}

/** Prints the summary, and why some deliveries were not sent. @returns the exit code */
export async function finish(job: Job, excluded: number, cli: Cli): Promise<ExitCode> {
  const { terminal } = cli
  const { id, done, failed, total, state } = job
  const left = total - done - failed
  if (state === 'cancelled') terminal.say(`Cancelled; ${number(left)} of ${number(total)} were not sent.`)
  if (state === 'stopped')
    terminal.say(
      `Stopped after ${number(failed)} failed; ${number(left)} of ${number(total)} were not sent. Send them with: acuse jobs resume ${id}`,
    )
  await printSummary({ sent: done, failed, skipped: excluded + left }, cli)
  if (failed > 0) return EXIT.found
  return state === 'done' ? EXIT.done : EXIT.failed
}

const printSummary = (summary: Summary, cli: Cli): Promise<void> =>
  cli.print(
    summary,
    `${number(summary.sent)} sent, ${number(summary.failed)} failed, ${number(summary.skipped)} skipped.\n`,
  )

/** Fails for an unknown id: a mistyped id must not look like a sent delivery. @throws AcuseError `not-found` */
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
