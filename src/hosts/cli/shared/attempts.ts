import { AcuseError } from '#contract/errors.ts'
import type { AttemptRow, AttemptsOf, Job } from '#contract/replay.ts'
import { durationText } from '#core/time/duration.ts'
import type { Cli } from './command.ts'
import type { Reached } from './reach.ts'
import { clock, utc } from './records.ts'
import { polls } from './terminal.ts'
import { duration, number, type Paint, painter, type Shade, visible } from './text.ts'

const PAGE = 1_000
/** Concurrent `attempts.get` calls for attempts of earlier pages; more would slow down the sending itself. */
const ASKED_AT_ONCE = 64

/**
 * Polls the attempts of a job or forward and returns each once, when it has ended. Its memory does not grow with their number: it holds
 * only the ids of attempts in flight, which the job's concurrency bounds.
 */
export class AttemptFollower {
  readonly #call: Reached['call']
  readonly #of: AttemptsOf
  #after: number
  #sending: readonly number[] = []

  /** @param after skips attempts up to this id */
  constructor(call: Reached['call'], of: AttemptsOf, after = 0) {
    this.#call = call
    this.#of = of
    this.#after = after
  }

  /** Number of attempts that were in flight at the last poll. */
  get sending(): number {
    return this.#sending.length
  }

  /** @returns the attempts that ended since the last poll, and whether another page is ready */
  async ended(): Promise<{ readonly attempts: readonly AttemptRow[]; readonly more: boolean }> {
    const { attempts, more } = await this.#call('attempts.list', {
      of: this.#of,
      after: this.#after,
      limit: PAGE,
    })
    // Read after the page: an attempt that ended before those of the page began is then printed before them.
    const now = this.#sending.slice(0, ASKED_AT_ONCE)
    const polled = (await Promise.all(now.map((id) => this.#poll(id)))).filter((row) => row !== null)
    this.#after = attempts.at(-1)?.id ?? this.#after
    const all: readonly AttemptRow[] = [...polled, ...attempts]
    // Attempts beyond this poll's limit come first in the next one, so that hanging attempts do not starve them.
    this.#sending = [
      ...this.#sending.slice(ASKED_AT_ONCE),
      ...all.filter(({ state }) => state === 'sending').map(({ id }) => id),
    ]
    return { attempts: all.filter(({ state }) => state !== 'sending'), more }
  }

  /** @returns null when the delivery, and with it the attempt, was deleted meanwhile */
  async #poll(id: number): Promise<AttemptRow | null> {
    try {
      return await this.#call('attempts.get', { id })
    } catch (error) {
      if (error instanceof AcuseError && error.code === 'not-found') return null
      throw error
    }
  }
}

export async function newestAttempt(call: Reached['call'], of: AttemptsOf): Promise<number> {
  const { attempts } = await call('attempts.list', { of, limit: 1 })
  return attempts[0]?.id ?? 0
}

/** An attempt as --json prints it; names and order are fixed, since users' scripts read them. */
export function attemptRecord(row: AttemptRow) {
  return {
    attempt: row.id,
    delivery: row.deliveryId,
    target: row.target,
    method: row.method,
    url: row.url,
    startedAt: utc(row.startedAt),
    durationMs: row.tookUs === null ? null : row.tookUs / 1_000,
    state: row.state,
    status: row.status,
    ok: row.ok,
    error: row.error === null ? null : { code: row.error.code, message: row.error.message },
    try: row.tryNumber,
    again: row.again,
    imported: row.imported,
  }
}

export function attemptLines({ json, terminal }: Pick<Cli, 'json' | 'terminal'>) {
  const paint = painter(terminal.coloured)
  const line = (row: AttemptRow) =>
    json ? `${JSON.stringify(attemptRecord(row))}\n` : attemptLine(row, paint)
  return (rows: readonly AttemptRow[]): string => rows.map(line).join('')
}

function attemptLine(row: AttemptRow, paint: Paint): string {
  const facts = [
    clock(row.startedAt),
    `#${row.deliveryId}`.padEnd(8),
    paint(shadeOf(row), (row.status === null ? '–' : String(row.status)).padStart(3)),
    took(row.tookUs).padStart(8),
    visible(`${row.method} ${row.url}`),
    ...(row.tryNumber > 1 ? [`try ${row.tryNumber}`] : []),
    ...(row.again ? ['may have arrived before'] : []),
    ...(row.imported ? ['imported'] : []),
  ]
  const error = row.error === null ? '' : `\n  ${visible(row.error.message)}`
  const redirect = isRedirect(row.status)
    ? '\n  A redirect is not followed; give the address that it leads to.'
    : ''
  return `${facts.join('  ')}${error}${redirect}\n`
}

const isRedirect = (status: number | null): boolean =>
  status !== null && status >= 301 && status <= 308 && status !== 304

export function shadeOf(row: AttemptRow): Shade | null {
  if (row.ok === null) return null
  return row.ok ? 'good' : 'bad'
}

export const took = (micros: number | null): string => (micros === null ? '' : durationText(micros))

/** Poll interval: short at first, so that a small job ends at once; it grows up to the second value. */
const FIRST_POLL_MS = 5
const LAST_POLL_MS = 200
/** Time that attempts in flight have to end after a cancellation. */
const ENDING_MS = 3_000

interface JobScreen {
  /** Prints ended attempts, each once. The follower awaits it before the next page, so that a slow terminal limits the memory in use. */
  attempts(rows: readonly AttemptRow[]): Promise<void>
  progress(job: Job): void
  /** Called when a user has paused or resumed the job. */
  paused(job: Job): void
}

/** Polls a job until it has ended. @param after skips attempts up to this id @param stop cancels the job when it resolves */
export async function followJob(
  { call }: Pick<Reached, 'call'>,
  id: number,
  after: number,
  screen: JobScreen,
  stop: Promise<void>,
): Promise<Job> {
  const follower = new AttemptFollower(call, { job: id }, after)
  let cancelledAt: number | undefined
  let paused = false
  let more = false
  let job = await call('jobs.get', { id })
  for await (const stopping of polls(stop, FIRST_POLL_MS, LAST_POLL_MS, () => more)) {
    if (stopping && cancelledAt === undefined) {
      cancelledAt = Date.now()
      await call('jobs.cancel', { id })
    }
    // Before the page: an attempt that ends between the two calls is then on the page.
    job = await call('jobs.get', { id })
    const page = await follower.ended()
    if (page.attempts.length > 0) await screen.attempts(page.attempts)
    more = page.more
    if (more) continue
    screen.progress(job)
    if ((job.state === 'paused') !== paused) {
      paused = !paused
      screen.paused(job)
    }
    const waits = job.state === 'running' || (paused && !stopping)
    const late = cancelledAt !== undefined && Date.now() > cancelledAt + ENDING_MS
    if (!waits && ((job.inFlight === 0 && follower.sending === 0) || late)) break
  }
  return job
}

/** Beyond this number of attempts a screen shows one progress line, and lines for failures only. */
const LINES_READ = 200

export function jobScreen(cli: Pick<Cli, 'json' | 'terminal'>, total: number): JobScreen {
  const { terminal } = cli
  const brief = !cli.json && total > LINES_READ && terminal.progress(null)
  const lines = attemptLines(cli)
  return {
    async attempts(rows) {
      const shown = brief ? rows.filter(({ ok }) => ok !== true) : rows
      if (shown.length > 0 && !terminal.readerGone) await terminal.print(lines(shown))
    },
    progress(job) {
      if (job.state === 'running' && brief) terminal.progress(progressText(job))
      else terminal.progress(null)
    },
    paused({ id, state }) {
      terminal.say(
        state === 'paused'
          ? `Job ${id} was paused. Resume it with: acuse jobs resume ${id}. Ctrl+C cancels it.`
          : `Job ${id} goes on.`,
      )
    },
  }
}

function progressText({ done, failed, total, rate, etaMs }: Job): string {
  return [
    `${number(done + failed)} of ${number(total)}`,
    ...(failed > 0 ? [`${number(failed)} failed`] : []),
    `${number(Math.round(rate))}/s`,
    ...(etaMs === null ? [] : [`${duration(etaMs / 1_000)} left`]),
    'Ctrl+C cancels',
  ].join(' · ')
}
