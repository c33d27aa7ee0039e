import type { Job, JobFailure } from '#contract/replay.ts'
import { attemptLines, newestAttempt } from '../shared/attempts.ts'
import { command, type Declaration, flag, group } from '../shared/command.ts'
import { EXIT } from '../shared/failures.ts'
import type { Reached } from '../shared/reach.ts'
import { local, utc } from '../shared/records.ts'
import { stopSignal } from '../shared/terminal.ts'
import { block, duration, number, shownUrl, visible } from '../shared/text.ts'
import { actOf, EXISTING, idArgument, known, listOf, type Numbered } from '../shared/things.ts'
import { finish, follow } from './replay.ts'

/** A job as --json prints it; names and order are fixed, since users' scripts read them. */
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
    imported: job.imported,
  }
}

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
    ...(job.imported ? ['imported'] : []),
    ...(job.stall ? ['waits for the disk'] : []),
    ...(job.lastError && job.failed > 0 ? [`last failure: ${lastFailure(job.lastError)}`] : []),
  ]
  return `${visible(facts.join('  '))}\n`
}

const lastFailure = ({ code, params }: JobFailure): string =>
  code === 'failure-status' ? `answered ${params.status}` : code.replaceAll('-', ' ')

export function jobText(job: Job): string {
  const { options, lastError, etaMs, state } = job
  return block(jobLine(job).trimEnd(), [
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
  ])
}

const runningText = ({ inFlight, rate }: Job, etaMs: number | null): string =>
  `${inFlight} on their way, ${number(Math.round(rate))}/s${etaMs === null ? '' : `, ${duration(etaMs / 1_000)} left`}`

function sourceText({ source }: Job): string {
  if (source.type === 'filter') return source.filter === '' ? 'all deliveries' : `filter ${source.filter}`
  if (source.type === 'document') return `document ${source.documentId}`
  return source.count === 1 ? `delivery ${source.first}` : `${number(source.count)} deliveries`
}

const JOBS: Numbered<Reached['call']> = { noun: 'job', list: 'acuse jobs list', way: EXISTING }
const AS_IT_IS = { json: 'print the job as it is then', example: 'at once' }
const PAGE = 1_000
const id = idArgument(JOBS.list)

const running = (name: 'resume' | 'retry-failed', about: string): Declaration =>
  command({
    name,
    about: `${about} Where no Acuse runs, this command sends and stays until it is done.`,
    args: { id },
    options: {
      follow: flag('show its attempts and stay until it is done; then exit code 1 when one failed'),
    },
    json: 'print the job; with --follow one line per attempt, then {"sent","failed","skipped"}',
    examples: [
      [`acuse jobs ${name} 3`, 'let the running Acuse do it'],
      [`acuse jobs ${name} 3 --follow`, 'and watch it'],
    ],
    run: ({ id, follow: watch }, cli) =>
      cli.existing(async (reached) => {
        const { call } = reached
        const watching = watch || reached.here
        const after = watching ? await newestAttempt(call, { job: id }) : 0
        const stop = watching ? stopSignal(cli.terminal.say, EXIT.failed) : Promise.resolve()
        const job: Job = await known(JOBS, id, call(`jobs.${name}`, { id }))
        if (!watching) return cli.done(`Job ${id} runs.`, jobRecord(job))
        cli.terminal.say(`Job ${id} runs.`)
        cli.exitWith(await finish(await follow(reached, job, after, cli, stop), 0, cli))
      }),
  })

export const jobs = group(
  'jobs',
  'Replays of many deliveries: list, show, pause, resume, cancel, retry-failed, remove.',
  [
    listOf({
      about: 'List the jobs, newest first.',
      json: 'print {"jobs": […]}',
      examples: [
        [JOBS.list, 'for reading'],
        [
          `${JOBS.list} --json | jq '.jobs[] | select(.state == "paused").id'`,
          'those that wait to be resumed',
        ],
      ],
      way: EXISTING,
      ask: (call) => call('jobs.list', {}),
      record: ({ jobs }) => ({ jobs: jobs.map(jobRecord) }),
      texts: ({ jobs }) => jobs.map(jobLine),
      none: '"acuse replay" starts one.',
    }),
    command({
      name: 'show',
      about: 'Show one job with its options and, on request, its attempts, oldest first.',
      args: { id },
      options: {
        attempts: { ...flag('and its attempts'), not: ['failed'] },
        failed: flag('and those of its attempts that failed or are uncertain'),
      },
      json: 'print the job, then one JSON line per attempt',
      examples: [
        ['acuse jobs show 3', 'how far it is'],
        ['acuse jobs show 3 --failed --json', 'what failed, for a script'],
      ],
      run: ({ id, attempts, failed }, cli) =>
        cli.existing(async ({ call }) => {
          const { terminal } = cli
          const job = await known(JOBS, id, call('jobs.get', { id }))
          await cli.print(jobRecord(job), jobText(job))
          if (!attempts && !failed) return
          const lines = attemptLines(cli)
          let after = 0
          for (let more = true; more && !terminal.readerGone; ) {
            const only = failed ? { failed } : {}
            const page = await call('attempts.list', { of: { job: id }, after, limit: PAGE, ...only })
            await terminal.print(lines(page.attempts))
            after = page.attempts.at(-1)?.id ?? after
            more = page.more
          }
        }),
    }),
    actOf(
      JOBS,
      { ...AS_IT_IS, name: 'pause', about: 'Pause a job. Requests in flight still finish.', past: 'paused' },
      async (call, id) => jobRecord(await call('jobs.pause', { id })),
    ),
    actOf(
      JOBS,
      {
        ...AS_IT_IS,
        name: 'cancel',
        about: 'Cancel a job. Deliveries that were not sent yet are not sent.',
        past: 'cancelled',
      },
      async (call, id) => jobRecord(await call('jobs.cancel', { id })),
    ),
    running('resume', 'Resume a job that was paused, interrupted by a restart, or stopped by failures.'),
    running('retry-failed', 'Send the failed deliveries of a job again.'),
    actOf(
      JOBS,
      {
        name: 'remove',
        about: 'Remove a job that is not running. Its attempts stay with their deliveries.',
        example: 'from the list',
        past: 'removed',
      },
      (call, id) => call('jobs.remove', { id }),
    ),
  ],
)
