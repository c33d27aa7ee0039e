import type { Job, JobFailure } from '#contract/replay.ts'
import { duration, number } from './job-screen.ts'
import { local, utc } from './records.ts'
import { shownUrl } from './target-text.ts'
import { visible } from './visible.ts'

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
