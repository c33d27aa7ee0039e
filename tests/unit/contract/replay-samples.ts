import type { Params } from '#contract/commands.ts'
import { DEFAULT_JOB_OPTIONS, DEFAULT_TARGET } from '#contract/replay.ts'
import type { ReplayCommandName } from '#contract/replay-commands.ts'

const options = { ...DEFAULT_JOB_OPTIONS, to: { target: 'erp' } }
const forward = {
  name: 'to-erp',
  enabled: true,
  filter: 'kind:factura.*',
  targets: ['erp', 'http://127.0.0.1:3000/hook'],
  concurrency: 4,
  whenDown: 'queue',
  answerFrom: 'erp',
  answerTimeoutMs: 5_000,
  temporary: false,
} as const
const fault = {
  endpoint: null,
  effect: { type: 'hang' },
  probability: 1,
  seed: 0,
  filter: '',
  next: null,
  until: null,
} as const

export const REPLAY_VALID: { readonly [C in ReplayCommandName]: readonly [Params<C>, ...Params<C>[]] } = {
  'targets.save': [
    { name: 'erp', url: 'http://127.0.0.1:3000/hook', ...DEFAULT_TARGET },
    {
      previousName: 'erp',
      name: 'erp-2',
      url: 'https://erp.example/hook?tenant=7',
      method: 'POST',
      path: 'append',
      query: 'target',
      headers: [
        { name: 'X-Tenant', value: '7', secret: false },
        { name: 'Authorization', value: null, secret: true },
      ],
      remove: ['User-Agent'],
      timeouts: { connectMs: 1, answerMs: 1, totalMs: 3_600_000 },
      acceptAnyCertificate: true,
      keepSecret: true,
      keepCredentials: true,
      markReplays: false,
    },
  ],
  'targets.remove': [{ name: 'erp' }],
  'targets.set-default': [{ name: 'erp' }, { name: null }],
  'replay.send': [
    { delivery: 1, to: { target: 'erp' } },
    {
      delivery: 1,
      to: { target: 'https://erp.example/', headers: [['X-Try', '2']] },
      edit: { method: 'PUT', url: '/a?b=c', headers: [['A', '']], bodyBase64: 'e30=' },
      times: 100,
    },
  ],
  'attempts.list': [
    { of: { delivery: 1 }, limit: 1 },
    { of: { job: 1 }, after: 0, limit: 1_000, failed: true },
    { of: { forward: 'to-erp' }, before: 9, limit: 50 },
  ],
  'attempts.get': [{ id: 1 }, { id: 1, reveal: true }],
  'attempts.body': [{ id: 1, of: 'answer', from: 0, length: 1 }],
  'jobs.preview': [{ source: { type: 'filter', filter: '' }, options }],
  'jobs.start': [
    { source: { type: 'ids', ids: [1, 2] }, options },
    {
      source: { type: 'document', documentId: '7d3f2b1c-0000-4000-8000-000000000001' },
      options: {
        to: { target: 'http://127.0.0.1:1/', headers: [] },
        order: 'document',
        concurrency: 256,
        ratePerSecond: 0.5,
        gaps: 10,
        stopAfterFailures: 1,
        retry: { times: 20, delayMs: 0 },
        failures: ['404', '5xx'],
        include: ['rejected', 'replay'],
      },
    },
  ],
  'jobs.list': [{}],
  'jobs.get': [{ id: 1 }],
  'jobs.pause': [{ id: 1 }],
  'jobs.resume': [{ id: 1 }],
  'jobs.cancel': [{ id: 1 }],
  'jobs.retry-failed': [{ id: 1 }],
  'jobs.remove': [{ id: 1 }],
  'forwards.list': [{}],
  'forwards.save': [forward, { ...forward, previousName: 'old', answerFrom: null, temporary: true }],
  'forwards.remove': [{ name: 'to-erp' }],
  'forwards.retry': [{ name: 'to-erp' }],
  'forwards.clear': [{ name: 'to-erp', target: 'erp' }],
  'faults.list': [{}],
  'faults.add': [
    fault,
    {
      ...fault,
      endpoint: 'default',
      effect: { type: 'status', status: 503 },
      next: 3,
      until: 1_795_000_000_000,
    },
    { ...fault, effect: { type: 'delay', ms: 600_000 }, probability: 0.5, filter: 'kind:factura.created' },
    { ...fault, id: 7 },
  ],
  'faults.remove': [{ id: 1 }],
  'faults.clear': [{}],
}

const target = { name: 'erp', url: 'http://127.0.0.1:3000/hook', ...DEFAULT_TARGET }
const run = { source: { type: 'filter', filter: '' }, options }

export const REPLAY_INVALID: {
  readonly [C in ReplayCommandName]?: readonly (readonly [what: string, params: unknown])[]
} = {
  'targets.save': [
    ...['file:///etc/passwd', 'ftp://h/', 'http://user:secret@h/', 'erp', '//h/', 'http://', ''].map(
      (url) => [`the address ${JSON.stringify(url)}`, { ...target, url }] as const,
    ),
    ['a method with a space', { ...target, method: 'GET /' }],
    [
      'a header that would split the request',
      { ...target, headers: [{ name: 'A', value: 'b\r\nC: d', secret: false }] },
    ],
    [
      'an endless time-out',
      { ...target, timeouts: { connectMs: 1, answerMs: 1, totalMs: Number.MAX_SAFE_INTEGER } },
    ],
  ],
  'replay.send': [
    ['a target of another scheme', { delivery: 1, to: { target: 'file:///x' } }],
    ['no times', { delivery: 1, to: { target: 'erp' }, times: 0 }],
    ['a body that is no base64', { delivery: 1, to: { target: 'erp' }, edit: { bodyBase64: '{}' } }],
    ['an edited URL with a host', { delivery: 1, to: { target: 'erp' }, edit: { url: 'http://h/' } }],
  ],
  'attempts.list': [
    ['both directions', { of: { delivery: 1 }, before: 2, after: 1, limit: 1 }],
    ['attempts of nothing', { of: {}, limit: 1 }],
  ],
  'jobs.start': [
    ['no ids', { ...run, source: { type: 'ids', ids: [] } }],
    ['a rate of nothing', { ...run, options: { ...options, ratePerSecond: 0 } }],
    ['gaps beyond ten times', { ...run, options: { ...options, gaps: 11 } }],
    ['a status that is none', { ...run, options: { ...options, failures: ['6xx'] } }],
    [
      'malformed ones, which cannot be sent exactly',
      { ...run, options: { ...options, include: ['malformed'] } },
    ],
  ],
  'forwards.save': [
    ['no target', { ...forward, targets: [] }],
    ['another word for when it is down', { ...forward, whenDown: 'wait' }],
  ],
  'faults.add': [
    ['a probability above 1', { ...fault, probability: 1.1 }],
    ['a status that ends nothing', { ...fault, effect: { type: 'status', status: 100 } }],
    ['an id that no rule can have', { ...fault, id: 0 }],
    ['an effect that there is not', { ...fault, effect: { type: 'explode' } }],
  ],
}
