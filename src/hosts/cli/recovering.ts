import type { DeliveryRow } from '#contract/delivery.ts'
import type { Recovery, Sweep } from '#contract/reconcile.ts'
import { DEFAULT_JOB_OPTIONS, type JobOptions } from '#contract/replay.ts'
import type { ReportRecovery } from '#interop/report/model.ts'
import { followJob } from './following.ts'
import { number } from './job-screen.ts'
import type { Reached } from './reach.ts'
import type { Terminal } from './terminal.ts'

/** As many as one job takes. */
const MOST_IDS = 100_000
const PAGE = 1_000

/** Events of one document must reach its handler in order; documents go side by side. */
const OPTIONS: Omit<JobOptions, 'to'> = { ...DEFAULT_JOB_OPTIONS, order: 'document', concurrency: 4 }

const WHY_LEFT: Readonly<Record<Recovery['left'][number]['reason'], string>> = {
  'kind-unknown': 'nothing says which kind of event it was',
  'no-document-id': 'the item has no document id',
  'only-possibly-missed': 'an update is only possibly missed',
  'already-rebuilt': 'rebuilt before; send those with: acuse replay --filter is:synthetic --to …',
  ignored: 'somebody ignored it with a reason',
  invalid: 'what the item says makes no valid event',
}

/**
 * Rebuilds what a sweep found to be missed as synthetic deliveries, sends them to a target by jobs, and says what came of it.
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
  for (const ids of chunks(await idsOf(reached, sweep.id, recovery))) {
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

async function idsOf(
  { call }: Pick<Reached, 'call'>,
  sweep: number,
  { ids }: Recovery,
): Promise<readonly number[]> {
  if (ids === null) return []
  const found: number[] = []
  let after = ids.first - 1
  for (;;) {
    const { rows }: { rows: readonly DeliveryRow[] } = await call('recovery.deliveries', {
      sweep,
      after,
      limit: PAGE,
    })
    found.push(...rows.map(({ id }) => id).filter((id) => id <= ids.last))
    const last = rows.at(-1)?.id
    if (last === undefined || last >= ids.last) return found
    after = last
  }
}

function chunks(ids: readonly number[]): readonly (readonly number[])[] {
  const found: (readonly number[])[] = []
  for (let at = 0; at < ids.length; at += MOST_IDS) found.push(ids.slice(at, at + MOST_IDS))
  return found
}
