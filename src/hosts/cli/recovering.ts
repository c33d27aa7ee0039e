import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import type { Recovery, Sweep } from '#contract/reconcile.ts'
import type { JobOptions } from '#contract/replay.ts'
import { rebuiltIds } from '#core/reconcile/rebuilt-ids.ts'
import type { ReportRecovery } from '#interop/report/model.ts'
import { followJob } from './following.ts'
import { number } from './job-screen.ts'
import type { Reached } from './reach.ts'
import type { Terminal } from './terminal.ts'

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
