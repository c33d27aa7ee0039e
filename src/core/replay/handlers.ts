import type { HandlersOf, Params, Result } from '#contract/commands.ts'
import { AcuseError, refused } from '#contract/errors.ts'
import type { AttemptDetail, AttemptRow, ReplayCommandName } from '#contract/replay.ts'
import { readFilter } from '../filter/read.ts'
import type { Masking } from '../masking.ts'
import type { Destinations, Replays } from '../ports.ts'
import { demandSending, type Feed, forwarded, inTurn } from '../threads.ts'

/** Refuses a URL that may not become a destination. @throws AcuseError `bad-params`; `details.reason` is an attempt's code */
export async function demandSendable(destinations: Destinations, url: string, path: string): Promise<void> {
  const found = await destinations.refused(url)
  if (found) throw new AcuseError('bad-params', `${path}: ${found.message}`, { path, reason: found.code })
}

/** Queues on disk refer to a target by name. @throws AcuseError `conflict` while a forward or an unfinished job uses it */
export async function demandUnused(replays: Replays | null, target: string) {
  if (!replays) return
  const [{ forwards }, { jobs }] = await Promise.all([
    replays.call('forwards.list', {}),
    replays.call('jobs.list', {}),
  ])
  const forward = forwards.find(({ targets }) => targets.includes(target))
  if (forward) throw refused('conflict', 'target-of-forward', { forward: forward.name, target })
  const job = jobs.find(
    ({ state, options }) => options.to.target === target && state !== 'done' && state !== 'cancelled',
  )
  if (job) throw refused('conflict', 'target-of-job', { job: job.id, target })
}

const AS_THEY_ARE = [
  'attempts.body',
  'jobs.list',
  'jobs.get',
  'jobs.pause',
  'jobs.resume',
  'jobs.cancel',
  'jobs.retry-failed',
  'jobs.remove',
  'forwards.list',
  'forwards.remove',
  'forwards.retry',
  'forwards.clear',
] as const

/**
 * @param replays null in a host that sends nothing
 * @param sentTo called with the target after each send
 * @param sendable throws for a target, by name or URL, to which nothing may be sent
 * @param filed resolves when the sending thread can read the deliveries
 */
export function replayHandlers(
  replays: Replays | null,
  masking: Masking,
  sentTo: (target: string) => Promise<void>,
  sendable: (target: string, path: string) => Promise<void>,
  filed: (ids: readonly number[]) => Promise<void>,
): HandlersOf<ReplayCommandName> {
  const call = async <C extends ReplayCommandName>(command: C, params: Params<C>): Promise<Result<C>> =>
    demandSending(replays).call(command, params)
  // A one-time URL takes the place of a target's name, also in error messages.
  const row = <R extends AttemptRow>(one: R): R => ({
    ...masking.row(one),
    target: masking.target(one.target),
    error: one.error && {
      ...one.error,
      message: masking.target(one.error.message),
      params: Object.fromEntries(
        Object.entries(one.error.params).map(([name, value]) => [
          name,
          typeof value === 'string' ? masking.target(value) : value,
        ]),
      ),
    },
  })
  const covered = (detail: AttemptDetail): AttemptDetail => ({
    ...row(detail),
    request: { ...detail.request, headers: masking.headers(detail.request.headers) },
    answer: detail.answer && { ...detail.answer, headers: masking.headers(detail.answer.headers) },
  })
  const sourced =
    <C extends 'jobs.preview' | 'jobs.start'>(command: C) =>
    async (params: Params<C>): Promise<Result<C>> => {
      // Refuses a wrong filter here, with its column, before the job begins.
      if (params.source.type === 'filter') readFilter(params.source.filter)
      else if (params.source.type === 'ids') await filed(params.source.ids)
      return call(command, params)
    }

  return {
    ...forwarded(AS_THEY_ARE, call),
    'replay.send': async (params) => {
      await filed([params.delivery])
      const result = await call('replay.send', params)
      await sentTo(params.to.target)
      return { ...result, attempts: result.attempts.map(row) }
    },
    'attempts.list': async (params) => {
      const page = await call('attempts.list', params)
      return { ...page, attempts: page.attempts.map(row) }
    },
    'attempts.get': async (params) => {
      const detail = await call('attempts.get', params)
      return params.reveal ? detail : covered(detail)
    },
    'jobs.preview': sourced('jobs.preview'),
    'jobs.start': async (params) => {
      // Otherwise every delivery of the job would fail with the same error.
      await sendable(params.options.to.target, 'options.to.target')
      const job = await sourced('jobs.start')(params)
      await sentTo(params.options.to.target)
      return job
    },
    'forwards.save': async (params) => {
      readFilter(params.filter)
      for (const [i, target] of params.targets.entries()) await sendable(target, `targets.${i}`)
      return call('forwards.save', params)
    },
  }
}

/** Pushes changes to the windows, at most five times a second. */
export function pushReplays(replays: Replays, feed: Feed): void {
  inTurn(replays, async ({ jobs: ids, forwards: changed, deliveries, more }) => {
    if (!feed.heard) return
    // Removed or unreadable jobs are left out; the window requests them when it shows them.
    const jobs = await Promise.all(ids.map((id) => replays.call('jobs.get', { id }).catch(() => null)))
    const all = changed ? await replays.call('forwards.list', {}).catch(() => null) : null
    const found = jobs.filter((job) => job !== null)
    feed.send('replays.changed', { jobs: found, forwards: all?.forwards ?? null, deliveries, more })
  })
}
