import { onTestFinished } from 'vitest'
import type { CommandName, Params, Result } from '#contract/commands.ts'
import { DEFAULT_JOB_OPTIONS, DEFAULT_TARGET } from '#contract/defaults.ts'
import type { Forward, Job, JobOptions } from '#contract/replay.ts'
import type { Host, HostOptions } from '#hosts/assemble.ts'
import { assembled } from '../../../support/assembled.ts'
import { anEvent, aUuid } from '../../../support/events.ts'
import type { Received } from '../../../support/hook-receiver.ts'

export type ReplayHost = Awaited<ReturnType<typeof replayHost>>

/** A whole host in this process, gone after the test. */
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
    async target(name: string, url: string) {
      await call('targets.save', { ...DEFAULT_TARGET, name, url })
    },
    /** Receives so many events and waits until they are judged. @returns their ids, in order */
    async receive(count: number, document = (n: number) => n): Promise<readonly number[]> {
      const [last] = (await call('deliveries.scan', { filter: '', after: null, limit: 1, newest: true })).rows
      for (let n = 0; n < count; n++) await post(one.receiverUrl, n, document(n))
      await call('deliveries.settled', { timeoutMs: 10_000 })
      return idsAfter(call, last?.id ?? 0)
    },
    job: (id: number, ...wanted: readonly Wanted<Job>[]) =>
      until(() => call('jobs.get', { id }), fitting(wanted)),
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

async function idsAfter(call: Host['engine']['call'], after: number): Promise<readonly number[]> {
  const ids: number[] = []
  for (;;) {
    const { rows } = await call('deliveries.scan', { filter: '', after: ids.at(-1) ?? after, limit: 1_000 })
    if (rows.length === 0) return ids
    ids.push(...rows.map(({ id }) => id))
  }
}

export async function until<T>(ask: () => T | Promise<T>, fits: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await ask()
    if (fits(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export type Wanted<T extends { readonly state: string }> = T['state'] | ((one: T) => boolean)
export const fitting =
  <T extends { readonly state: string }>(wanted: readonly Wanted<T>[]) =>
  (one: T): boolean =>
    wanted.some((each) => (typeof each === 'function' ? each(one) : one.state === each))

export const jobTo = (target: string, change: Partial<JobOptions> = {}): JobOptions => ({
  ...DEFAULT_JOB_OPTIONS,
  to: { target },
  ...change,
})

export const aForward = (change: Partial<Forward> & Pick<Forward, 'targets'>): Forward => ({
  name: 'live',
  enabled: true,
  filter: '',
  concurrency: 1,
  whenDown: 'queue',
  answerFrom: null,
  answerTimeoutMs: 2_000,
  temporary: false,
  ...change,
})

export const numbers = (received: readonly Received[]): readonly number[] =>
  received.map(({ headers }) =>
    Number(headers[headers.indexOf('X-Number') + 1] ?? headers[headers.indexOf('x-number') + 1]),
  )
