import { onTestFinished } from 'vitest'
import type { CommandName, Params, Result } from '#contract/commands.ts'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import type { Job, JobOptions } from '#contract/replay.ts'
import type { HostOptions } from '#hosts/assemble.ts'
import { assembled } from '../../../support/assembled.ts'
import { anEvent, aUuid } from '../../../support/events.ts'
import type { Received } from '../../../support/hook-receiver.ts'
import { until } from '../../../support/until.ts'

export type ReplayHost = Awaited<ReturnType<typeof replayHost>>

/** Starts a whole host in this process, closed after the test. */
export async function replayHost(change: Partial<HostOptions> = {}) {
  const warnings: string[] = []
  const one = await assembled({ warn: (message) => warnings.push(message), ...change })
  onTestFinished(() => one.close())
  const { engine } = one.host
  const call = <C extends CommandName>(command: C, params: Params<C>) =>
    engine.dispatch(command, params) as Promise<Result<C>>
  return {
    host: one.host,
    receiverUrl: one.receiverUrl,
    warnings,
    call,
    /** Sends events and waits until they are analysed. @returns the ids, in order */
    async receive(count: number, document = (n: number) => n): Promise<readonly number[]> {
      const [last] = (await call('deliveries.scan', { filter: '', after: null, limit: 1, newest: true })).rows
      for (let n = 0; n < count; n++) await post(one.receiverUrl, n, document(n))
      await call('deliveries.settled', { timeoutMs: 10_000 })
      const came = { filter: '', after: last?.id ?? 0, limit: 1_000 }
      return (await call('deliveries.scan', came)).rows.map(({ id }) => id)
    },
    job: (id: number, wanted: Wanted<Job>) => until(() => call('jobs.get', { id }), fitting(wanted)),
    close: () => one.host.close(),
  }
}

export const post = (url: string, n: number, document: number): Promise<Response> =>
  fetch(`${url}hooks?n=${n}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Number': String(n) },
    body: JSON.stringify(
      anEvent('factura.created', { data: { DocumentId: aUuid(document + 1), Number: `E31${n}` } }),
    ),
  })

export type Wanted<T extends { readonly state: string }> = T['state'] | ((one: T) => boolean)
export const fitting =
  <T extends { readonly state: string }>(wanted: Wanted<T>) =>
  (one: T): boolean =>
    typeof wanted === 'function' ? wanted(one) : one.state === wanted

export const jobTo = (target: string, change: Partial<JobOptions> = {}): JobOptions => ({
  ...DEFAULT_JOB_OPTIONS,
  to: { target },
  ...change,
})

export const numbers = (received: readonly Received[]): readonly number[] =>
  received.map(({ headers }) =>
    Number(headers[headers.indexOf('X-Number') + 1] ?? headers[headers.indexOf('x-number') + 1]),
  )
