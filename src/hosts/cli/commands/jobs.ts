import type { Command } from 'commander'
import { AcuseError } from '#contract/errors.ts'
import type { Job, JobFailure } from '#contract/replay.ts'
import { attemptLine, attemptRecord, newestAttempt } from '../shared/attempts.ts'
import { couldNot, EXIT } from '../shared/failures.ts'
import { type CommonOptions, examples, wholeNumber, withCommon } from '../shared/options.ts'
import { type Reached, reachExisting, using } from '../shared/reach.ts'
import { local, utc } from '../shared/records.ts'
import { type CommandContext, stopSignal } from '../shared/terminal.ts'
import { duration, number, painter, shownUrl, visible } from '../shared/text.ts'
import { finish, follow } from './replay.ts'

/** What --json prints of a job; names and order are fixed, people script against them. */
export function jobRecord(job: Job) {
  return {
    id: job.id,
    state: job.state,
    pausedBy: job.pausedBy,
    createdAt: utc(job.createdAt * 1_000),
    endedAt: job.endedAt === null ? null : utc(job.endedAt * 1_000),
    total: job.total,
    done: job.done,
    failed: job.failed,
    inFlight: job.inFlight,
    uncertain: job.uncertain,
    rate: job.rate,
    etaMs: job.etaMs,
    lastError: job.lastError === null ? null : { code: job.lastError.code, message: job.lastError.message },
    stall: job.stall,
    source: job.source,
    options: job.options,
  }
}

/** A job in one line: id, state, how far it is, where it sends. */
export function jobLine(job: Job): string {
  const state = job.state === 'paused' && job.pausedBy === 'restart' ? 'paused by a restart' : job.state
  const facts = [
    String(job.id).padEnd(4),
    local(job.createdAt * 1_000),
    state.padEnd(9),
    `${number(job.done + job.failed)} of ${number(job.total)}`,
    ...(job.failed > 0 ? [`${number(job.failed)} failed`] : []),
    ...(job.uncertain > 0 ? [`${number(job.uncertain)} uncertain`] : []),
    `to ${shownUrl(job.options.to.target)}`,
    ...(job.stall ? ['waits for the disk'] : []),
    ...(job.lastError && job.failed > 0 ? [`last failure: ${lastFailure(job.lastError)}`] : []),
  ]
  return `${visible(facts.join('  '))}\n`
}

/** In a word or two; the job itself tells it in full. */
const lastFailure = ({ code, params }: JobFailure): string =>
  code === 'failure-status' ? `answered ${params.status}` : code.replaceAll('-', ' ')

/** A job for people, with its rules. */
export function jobText(job: Job): string {
  const { options, lastError, etaMs, state } = job
  const facts: readonly (readonly [string, string | null])[] = [
    ['Of', sourceText(job)],
    ['Order', options.order === 'document' ? 'each document in order, documents side by side' : 'of arrival'],
    ['At once', String(options.concurrency)],
    ['Rate', options.ratePerSecond === null ? null : `at most ${options.ratePerSecond}/s`],
    ['Gaps', options.gaps === null ? null : `as they were, × ${options.gaps}`],
    ['Stops', options.stopAfterFailures === null ? null : `after ${options.stopAfterFailures} failures`],
    [
      'Retries',
      options.retry.times === 0 ? null : `${options.retry.times}, after ${options.retry.delayMs} ms`,
    ],
    ['Fails on', options.failures.join(', ') || 'no status'],
    ['Includes', options.include.join(', ') || null],
    ['Now', state === 'running' ? runningText(job, etaMs) : null],
    ['Waits', job.stall?.message ?? null],
    ['Last error', lastError?.message ?? null],
  ]
  const lines = facts.flatMap(([name, value]) =>
    value === null ? [] : [visible(`     ${name.padEnd(10)} ${value}`)],
  )
  return `${jobLine(job)}${lines.join('\n')}\n`
}

const runningText = ({ inFlight, rate }: Job, etaMs: number | null): string =>
  `${inFlight} on their way, ${number(Math.round(rate))}/s${etaMs === null ? '' : `, ${duration(etaMs / 1_000)} left`}`

function sourceText({ source }: Job): string {
  if (source.type === 'filter') return source.filter === '' ? 'all deliveries' : `filter ${source.filter}`
  if (source.type === 'document') return `document ${source.documentId}`
  return source.count === 1 ? `delivery ${source.first}` : `${number(source.count)} deliveries`
}

interface ShowOptions extends CommonOptions {
  readonly attempts?: boolean
  readonly failed?: boolean
}
interface RunOptions extends CommonOptions {
  readonly follow?: boolean
}

const LIST = 'acuse jobs list'
const jobNumber = wholeNumber(1, 999_999_999_999_999)
const PAGE = 1_000

/** `acuse jobs …`: what `acuse replay` and the window have begun. */
export function addJobs(program: Command, context: CommandContext): void {
  const { terminal } = context
  const group = program
    .command('jobs')
    .description('Replays of many deliveries: list, show, pause, resume, cancel, retry-failed, remove.')

  const list = group.command('list').description('List the jobs, newest first.')
  examples(withCommon(list, 'print {"jobs": […]}'), [
    [LIST, 'for reading'],
    [`${LIST} --json | jq '.jobs[] | select(.state == "paused").id'`, 'those that wait to be resumed'],
  ]).action(({ data, json }: CommonOptions) =>
    using(reachExisting(data, terminal), async ({ call }) => {
      const { jobs } = await call('jobs.list', {})
      await terminal.print(
        json ? `${JSON.stringify({ jobs: jobs.map(jobRecord) })}\n` : jobs.map(jobLine).join(''),
      )
      if (jobs.length === 0) terminal.say('There are none. "acuse replay" starts one.')
    }),
  )

  const show = group
    .command('show')
    .description('Show one job with its rules, and its attempts if asked to, oldest first.')
    .argument('<id>', `its id, as "${LIST}" prints it`, jobNumber)
    .option('--attempts', 'and its attempts')
    .option('--failed', 'and those of its attempts that failed or are uncertain')
  examples(withCommon(show, 'print the job, then one JSON line per attempt'), [
    ['acuse jobs show 3', 'how far it is'],
    ['acuse jobs show 3 --failed --json', 'what failed, for a script'],
  ]).action((id: number, { data, json, attempts, failed }: ShowOptions) =>
    using(reachExisting(data, terminal), async ({ call }) => {
      const job = await known(id, call('jobs.get', { id }))
      await terminal.print(json ? `${JSON.stringify(jobRecord(job))}\n` : jobText(job))
      if (!attempts && !failed) return
      const paint = painter(terminal.coloured)
      let after = 0
      for (let more = true; more && !terminal.readerGone; ) {
        const page = await call('attempts.list', {
          of: { job: id },
          after,
          limit: PAGE,
          ...(failed ? { failed } : {}),
        })
        const lines = page.attempts.map((row) =>
          json ? `${JSON.stringify(attemptRecord(row))}\n` : attemptLine(row, paint),
        )
        await terminal.print(lines.join(''))
        after = page.attempts.at(-1)?.id ?? after
        more = page.more
      }
    }),
  )

  addEnding(group, context, 'pause', 'Pause a job; what is on its way ends.', 'paused')
  addEnding(
    group,
    context,
    'cancel',
    'Cancel a job: what was not sent yet is not sent any more.',
    'cancelled',
  )
  addRunning(
    group,
    context,
    'resume',
    'Go on with a job that was paused, also by a restart, or stopped by its failures.',
  )
  addRunning(group, context, 'retry-failed', 'Send again those deliveries of a job that failed.')

  const remove = group
    .command('remove')
    .description('Forget a job that does not run; its attempts stay with their deliveries.')
    .argument('<id>', `its id, as "${LIST}" prints it`, jobNumber)
  examples(withCommon(remove, 'print {"removed": id}'), [['acuse jobs remove 3', 'from the list']]).action(
    (id: number, { data, json }: CommonOptions) =>
      using(reachExisting(data, terminal), async ({ call }) => {
        const removed = await known(id, call('jobs.remove', { id }))
        terminal.say(`Job ${id} removed.`)
        if (json) await terminal.print(`${JSON.stringify(removed)}\n`)
      }),
  )
}

function addEnding(
  group: Command,
  { terminal }: CommandContext,
  name: 'pause' | 'cancel',
  description: string,
  done: string,
): void {
  const command = group
    .command(name)
    .description(description)
    .argument('<id>', `its id, as "${LIST}" prints it`, jobNumber)
  examples(withCommon(command, 'print the job as it is then'), [[`acuse jobs ${name} 3`, 'at once']]).action(
    (id: number, { data, json }: CommonOptions) =>
      using(reachExisting(data, terminal), async ({ call }) => {
        const job = await known(id, call(`jobs.${name}`, { id }))
        terminal.say(`Job ${id} ${done}.`)
        if (json) await terminal.print(`${JSON.stringify(jobRecord(job))}\n`)
      }),
  )
}

function addRunning(
  group: Command,
  { terminal, exitWith }: CommandContext,
  name: 'resume' | 'retry-failed',
  description: string,
): void {
  const command = group
    .command(name)
    .description(`${description} Where no Acuse runs, this command sends and stays until it is done.`)
    .argument('<id>', `its id, as "${LIST}" prints it`, jobNumber)
    .option('--follow', 'show its attempts and stay until it is done; then exit code 1 when one failed')
  examples(
    withCommon(
      command,
      'print the job; with --follow one line per attempt, then {"sent","failed","skipped"}',
    ),
    [
      [`acuse jobs ${name} 3`, 'let the running Acuse do it'],
      [`acuse jobs ${name} 3 --follow`, 'and watch it'],
    ],
  ).action((id: number, { data, json, follow: watch }: RunOptions) =>
    using(reachExisting(data, terminal), async (reached) => {
      const watching = watch === true || reached.here
      const after = watching ? await newestAttempt(reached.call, { job: id }) : 0
      const stop = watching ? stopSignal(terminal.say, EXIT.failed) : Promise.resolve()
      const job = await known(id, begin(reached, name, id))
      terminal.say(`Job ${id} runs.`)
      if (!watching) {
        if (json) await terminal.print(`${JSON.stringify(jobRecord(job))}\n`)
        return
      }
      const ended = await follow(reached, job, after, json === true, terminal, stop)
      const exit = await finish(ended, 0, json === true, terminal)
      if (exit !== 0) exitWith(exit)
    }),
  )
}

const begin = ({ call }: Reached, name: 'resume' | 'retry-failed', id: number): Promise<Job> =>
  call(`jobs.${name}`, { id })

/** Turns the refusal of an id into a sentence with the way out. */
async function known<T>(id: number, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AcuseError && error.code === 'not-found')
      throw couldNot(`There is no job ${id}; "${LIST}" shows those there are.`)
    throw error
  }
}
