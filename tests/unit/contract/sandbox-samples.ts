import type { Params } from '#contract/commands.ts'
import type { SandboxCommandName } from '#contract/sandbox-commands.ts'

/** The least and the fullest that the window sends of each of the sandbox's commands. */
export const SANDBOX_VALID: {
  readonly [C in SandboxCommandName]: readonly [Params<C>, ...Params<C>[]]
} = {
  'sandbox.status': [{}],
  'sandbox.start': [{}, { port: 0 }],
  'sandbox.stop': [{}],
  'sandbox.state': [{}],
  'sandbox.set-workspace': [{}, { name: 'Prueba', plan: 'Otro', offset: '-04:00' }],
  'sandbox.reset': [{}, { seed: 0xffff_ffff, subscriptions: true }],
  'sandbox.subscriptions': [{}],
  'sandbox.save-subscription': [
    { url: 'https://example.com/hook' },
    {
      id: 1,
      name: 'ERP',
      url: 'http://127.0.0.1:4400/',
      method: 'GET',
      headers: [
        { name: 'X-Secret', value: null },
        { name: 'X-Own', value: '' },
      ],
      kinds: ['factura.created'],
      active: false,
    },
    { id: 1, headers: Array.from({ length: 3_000 }, (_, i) => ({ name: `X-${i}`, value: 'v' })) },
  ],
  'sandbox.remove-subscription': [{ id: 1 }],
  'sandbox.test-subscription': [{ id: 1 }],
  'sandbox.operations': [{}],
  'sandbox.perform': [
    { name: 'create-invoice', params: {} },
    { name: 'edit-amount', params: { id: 'x', amount: 1.5 } },
  ],
  'sandbox.emit': [
    { kind: 'factura.created' },
    { kind: 'dgii.aprobado', data: { StatusId: null }, set: { '/data/StatusId': 5 }, count: 1_000, seed: 0 },
    { kind: 'factura.created', data: null },
  ],
  'sandbox.send': [{ kind: 'factura.created', body: '{}' }],
  'sandbox.preview': [{ kind: 'factura.created' }, { kind: 'factura.created', seed: 1 }],
  'sandbox.scenario': [{ slug: 'accepted' }, { slug: 'month', count: 1_000_000, seed: 1, background: true }],
  'sandbox.run': [{ run: 'f6c5b1c0-0000-4000-8000-000000000000' }],
  'sandbox.stop-run': [{ run: 'f6c5b1c0-0000-4000-8000-000000000000' }],
  'sandbox.traffic': [{}],
  'sandbox.start-traffic': [
    { rate: 0.01 },
    { rate: 500, mix: { 'factura.created': 1 }, seed: 1, count: 10_000_000, seconds: 86_400 },
  ],
  'sandbox.stop-traffic': [{}],
  'sandbox.laboratory': [{}],
  'sandbox.set-laboratory': [
    {},
    {
      seed: 1,
      lose: { share: 1, kinds: ['factura.created'] },
      delay: { leastMs: 0, mostMs: 60_000 },
      duplicate: { kinds: null },
      reorder: { holdMs: 1 },
      cut: { share: 0 },
      sync: {
        fault: 'truncated',
        share: 0.5,
        retryAfterSeconds: 3_600,
        slowMs: 60_000,
        casing: 'snake',
        nesting: 'data',
        order: 'shuffled',
        reduce: 'number-accounting',
      },
    },
  ],
  'sandbox.clear-laboratory': [{}],
  'sandbox.log': [
    {},
    {
      type: 'event',
      outcome: 'lost',
      lost: true,
      superseded: false,
      kind: 'factura.created',
      subject: 's',
      subscription: 1,
      run: 'r',
      q: 'text',
      order: 'newest',
      after: 0,
      limit: 1_000,
    },
  ],
  'sandbox.log-entries': [{}, { order: 'oldest', after: 7, limit: 100 }],
  'sandbox.log-entry': [{ id: 1 }, { id: 1, reveal: true }],
  'sandbox.keys': [{}],
  'sandbox.issue-key': [{}, { name: 'ERP' }],
  'sandbox.revoke-key': [{ id: 1 }],
  'sandbox.plugins': [{}],
  'sandbox.install-plugin': [
    {},
    { name: 'P', url: null, eventTypes: ['cobro.registrado'], active: true },
    { url: 'https://example.com/' },
  ],
  'sandbox.change-plugin': [{ id: 1 }, { id: 1, url: null, active: false }],
  'sandbox.remove-plugin': [{ id: 1 }],
}

/** Members that take names or values at will: what is in them is the sandbox's to judge. */
export const ANYTHING: ReadonlySet<string> = new Set([
  'sandbox.emit data',
  'sandbox.emit set',
  'sandbox.perform params',
  'sandbox.start-traffic mix',
])

/** What a boundary must refuse of them, besides what the test makes of SANDBOX_VALID by itself. */
export const SANDBOX_INVALID: {
  readonly [C in SandboxCommandName]?: readonly (readonly [what: string, params: unknown])[]
} = {
  'sandbox.start': [['a port above 65535', { port: 65_536 }]],
  'sandbox.save-subscription': [
    ['a method that the service has not', { url: 'https://example.com/', method: 'PATCH' }],
    ['a header without a value', { headers: [{ name: 'X' }] }],
    ['a header with a mask for a value', { headers: [{ name: 'X', value: 'v', masked: true }] }],
    ['a header value beyond 64 KiB', { headers: [{ name: 'X', value: 'v'.repeat(65_537) }] }],
    ['id 0', { id: 0 }],
  ],
  'sandbox.perform': [
    ['parameters that are no object', { name: 'void', params: 'x' }],
    ['parameters in a list', { name: 'void', params: [] }],
    ['no parameters', { name: 'void' }],
  ],
  'sandbox.emit': [
    ['pointers in a list', { kind: 'factura.created', set: [] }],
    ['more than 1,000 at once', { kind: 'factura.created', count: 1_001 }],
    ['a negative seed', { kind: 'factura.created', seed: -1 }],
  ],
  'sandbox.send': [
    ['a body that is no text', { kind: 'factura.created', body: {} }],
    ['no body', { kind: 'factura.created' }],
  ],
  'sandbox.start-traffic': [
    ['no rate', {}],
    ['a rate of nothing', { rate: 0 }],
    ['a negative weight', { rate: 1, mix: { 'factura.created': -1 } }],
  ],
  'sandbox.set-laboratory': [
    ['a share beyond 1', { lose: { share: 1.01 } }],
    ['a typo inside', { lose: { shares: 1 } }],
    ['a time beyond a minute', { delay: { mostMs: 60_001 } }],
    ['another fault', { sync: { fault: 'error-418' } }],
  ],
  'sandbox.log': [
    ['more than 1,000 entries', { limit: 1_001 }],
    ['another outcome', { outcome: 'gone' }],
  ],
  'sandbox.log-entries': [['more than 100 entries, which could be 1.6 GB', { limit: 101 }]],
}
