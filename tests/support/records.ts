import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import type { FaultRule } from '#contract/faults.ts'
import type { Forward } from '#contract/replay.ts'

/** A forward of all deliveries, which queues while its target is down. */
export const aForward = (change: Partial<Forward> & Pick<Forward, 'targets'>): Forward => ({
  ...{ name: 'live', enabled: true, filter: '', concurrency: 1, whenDown: 'queue' },
  ...{ answerFrom: null, answerTimeoutMs: 2_000, temporary: false },
  ...change,
})

/** A fault rule that answers every delivery with 503. */
export const aFault = (change: Partial<FaultRule> = {}): FaultRule => ({
  ...{ endpoint: null, effect: { type: 'status', status: 503 } },
  ...{ probability: 1, seed: 1, filter: '', next: null, until: null },
  ...change,
})

const { apiKey: _key, pluginToken: _token, ...CONNECTION } = DEFAULT_CONNECTION

/** A connection to save, without credentials. */
export const aConnection = (change: object = {}) => ({
  ...{ ...CONNECTION, name: 'main', baseUrl: 'https://api.example.test' },
  ...change,
})
