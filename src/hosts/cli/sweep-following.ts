import { setTimeout as pause } from 'node:timers/promises'
import { AcuseError } from '#contract/errors.ts'
import type { Sweep, SweepRange } from '#contract/reconcile.ts'
import { number } from './job-screen.ts'
import type { Reached } from './reach.ts'
import type { Terminal } from './terminal.ts'

/** Short at first, so that a small range takes no longer than it needs. */
const FIRST_LOOK_MS = 10
const LAST_LOOK_MS = 250
/** How long a page that is under way when it is paused is waited for. */
const ENDING_MS = 3_000

/**
 * Walks one range to its end, and says on the terminal how far it is. A sweep of the same range that was paused is gone on with.
 * @param stop resolves when the person wants no more of it: then the sweep is paused
 * @returns the sweep in whatever state it stopped
 */
export async function sweepRange(
  reached: Pick<Reached, 'call'>,
  connection: string,
  range: SweepRange,
  terminal: Terminal,
  stop: Promise<void>,
): Promise<Sweep> {
  const { sweeps } = await reached.call('sweeps.list', { connection })
  const paused = sweeps.find((one) => one.state === 'paused' && same(one.range, range))
  if (paused) terminal.say(`Goes on with sweep ${paused.id}, which was paused${at(paused)}.`)
  const sweep = paused
    ? await reached.call('sweeps.resume', { id: paused.id })
    : await reached.call('sweeps.start', { connection, range })
  try {
    return await follow(reached, sweep, terminal, stop)
  } finally {
    terminal.progress(null)
  }
}

async function follow(
  { call }: Pick<Reached, 'call'>,
  begun: Sweep,
  terminal: Terminal,
  stop: Promise<void>,
): Promise<Sweep> {
  const { id } = begun
  let sweep = begun
  let stopping = false
  const stopped = stop.then(() => {
    stopping = true
  })
  let pausedAt: number | undefined
  let look = FIRST_LOOK_MS
  while (sweep.state === 'running') {
    terminal.progress(progressText(sweep))
    if (stopping && pausedAt === undefined) {
      pausedAt = Date.now()
      sweep = await call('sweeps.pause', { id }).catch((error: unknown) => {
        // It came to its end meanwhile.
        if (error instanceof AcuseError && error.code === 'conflict') return call('sweeps.get', { id })
        throw error
      })
      continue
    }
    if (pausedAt !== undefined && Date.now() > pausedAt + ENDING_MS) return sweep
    await Promise.race([pause(look), ...(stopping ? [] : [stopped])])
    look = Math.min(LAST_LOOK_MS, look * 1.5)
    sweep = await call('sweeps.get', { id })
  }
  return sweep
}

function progressText(sweep: Sweep): string {
  return [
    `${sweep.range.route}-sync`,
    `${number(sweep.pages)} ${sweep.pages === 1 ? 'page' : 'pages'}`,
    `${number(sweep.documents)} documents`,
    ...(sweep.reached === null ? [] : [`reached ${sweep.reached.slice(0, 10)}`]),
    ...(sweep.retries === 0 ? [] : [`${number(sweep.retries)} tried again`]),
    'Ctrl+C pauses',
  ].join(' · ')
}

const at = ({ reached }: Sweep): string => (reached === null ? '' : ` at ${reached}`)

const same = (a: SweepRange, b: SweepRange): boolean =>
  a.route === b.route &&
  a.from === b.from &&
  a.to === b.to &&
  a.documentTypeId === b.documentTypeId &&
  a.pageSize === b.pageSize
