import type { FaultRule } from '#contract/faults.ts'
import type { EndpointRule } from '#core/endpoints.ts'
import { FaultBook } from '#core/faults.ts'
import type { ReceiverTimes } from '#receiver/limits.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { endpoint } from './endpoint.ts'
import { rig } from './rig.ts'

const ANSWER = { status: 201, headers: [['X-A', '1']] as const, body: 'gracias', delayMs: 0 }
const DISABLED = { name: 'off', path: '/off', enabled: false }

export const rule = (part: Partial<FaultRule> = {}): FaultRule => ({
  endpoint: null,
  effect: { type: 'status', status: 503 },
  ...{ probability: 1, seed: 1, filter: '', next: null, until: null },
  ...part,
})

/** A receiver with one endpoint that says "gracias", another one at /other, and these fault rules. */
export async function faulty(
  rules: readonly Partial<FaultRule>[],
  {
    answer = {},
    times = {},
  }: { answer?: Partial<EndpointRule['answer']>; times?: Partial<ReceiverTimes> } = {},
) {
  const faults = new FaultBook({ now: Date.now })
  for (const one of rules) faults.add(rule(one))
  const endpoints = [
    endpoint({ answer: { ...ANSWER, ...answer } }),
    endpoint({ name: 'other', path: '/other', answer: { ...ANSWER, ...answer } }),
    endpoint(DISABLED),
  ]
  const made = await rig({ rules: { endpoints }, times, answering: { faults, replays: null } })
  const post = (target = '/', body: Buffer | string = '{}', headers: readonly string[] = []) =>
    raw(made, requestBytes('POST', target, body, headers))
  return {
    ...made,
    faults,
    post,
    statuses: async (target?: string) => (await post(target)).answers[0]?.status,
  }
}

export const post = (target: string, body = '{}') => requestBytes('POST', target, body)
/** Waits for something that happens on another turn of the loop. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}
