import type { Params } from '#contract/commands.ts'
import { DEFAULT_CONNECTION, type SweepRange } from '#contract/reconcile.ts'
import type { ReconcileCommandName } from '#contract/reconcile-commands.ts'

const { apiKey: _key, pluginToken: _token, ...defaults } = DEFAULT_CONNECTION
const connection = { ...defaults, name: 'main', baseUrl: 'https://api.example.test' }
const TYPE = { id: 31, group: 'gasto' } as const
const range: SweepRange = {
  route: 'accounting',
  from: '2026-10-01',
  to: '2026-10-31T23:59:59-04:00',
  documentTypeId: null,
  pageSize: 200,
}

export const RECONCILE_VALID: {
  readonly [C in ReconcileCommandName]: readonly [Params<C>, ...Params<C>[]]
} = {
  'connections.save': [
    connection,
    {
      ...connection,
      ...{ previousName: 'main', apiKey: 'k', pluginToken: null, endpoints: ['default'] },
      kinds: ['factura.created'],
      pluginHeader: { name: 'X-Plugin-Token', scheme: '' },
      proxy: 'http://proxy.example.test:3128',
      mapping: { documentId: '/Ref/Uuid', status: null },
      documentTypes: [
        { id: 77, group: 'factura' },
        { id: 0, group: 'nota_debito' },
      ],
    },
  ],
  'connections.remove': [{ name: 'main' }],
  'connections.test': [{ name: 'main', route: 'treasury' }],
  'sweeps.start': [
    { connection: 'main', range },
    { connection: 'main', range: { ...range, route: 'treasury', from: null, to: null, documentTypeId: 31 } },
    { connection: 'main', range: { ...range, route: 'both' } },
  ],
  'sweeps.list': [{}, { connection: 'main' }],
  'sweeps.get': [{ id: 1 }],
  'sweeps.pause': [{ id: 1 }],
  'sweeps.resume': [{ id: 1 }],
  'sweeps.cancel': [{ id: 1 }],
  'sweeps.remove': [{ id: 1 }],
  'sweeps.compare': [{ a: 1, b: 2 }],
  'reconciliation.summary': [{ sweep: 1 }],
  'reconciliation.rows': [
    { sweep: 1, from: 0, limit: 1 },
    { sweep: 1, classes: ['missing', 'differs'], text: 'E31', from: 7, limit: 1_000 },
  ],
  'reconciliation.document': [{ sweep: 1, key: '7d3f2b1c-0000-4000-8000-000000000001' }],
  'reconciliation.report': [
    { sweep: 1, format: 'html', language: 'es' },
    { sweep: 1, format: 'markdown', language: 'en', unmask: true },
  ],
  'reconciliation.annotate': [
    { connection: 'main', keys: ['number:E31'], note: 'asked Ana' },
    { connection: 'main', keys: ['number:E31'], ignored: null },
  ],
  'recovery.rebuild': [
    { sweep: 1, select: { classes: ['missing'] } },
    { sweep: 1, select: { documents: ['number:E31'] }, dryRun: true },
  ],
  'recovery.deliveries': [{ sweep: 1, after: 0, limit: 1_000 }],
  'plugins.publish': [
    { connection: 'main', eventType: 'cobro.registrado' },
    { connection: 'main', eventType: 'inventario.movimiento', data: '{"amount":1.50}' },
  ],
}

export const RECONCILE_INVALID: {
  readonly [C in ReconcileCommandName]?: readonly (readonly [what: string, params: unknown])[]
} = {
  'connections.save': [
    ['an address with a password', { ...connection, baseUrl: 'https://u:p@api.example.test' }],
    ['a time zone that there is not', { ...connection, zone: 'America/Atlantis' }],
    ['a key that would split the request', { ...connection, apiKey: 'a\r\nB: c' }],
    ['an empty key', { ...connection, apiKey: '' }],
    ['a scheme with a blank', { ...connection, pluginHeader: { name: 'A', scheme: 'a b' } }],
    ['a pointer that is none', { ...connection, mapping: { documentId: 'Id' } }],
    ['a document type of no group', { ...connection, documentTypes: [{ id: 31, group: 'cotizacion' }] }],
    ['a document type below nothing', { ...connection, documentTypes: [{ id: -1, group: 'gasto' }] }],
    ['a document type twice', { ...connection, documentTypes: [TYPE, { ...TYPE, group: 'factura' }] }],
    [
      'more document types than there can be',
      { ...connection, documentTypes: Array.from({ length: 101 }, (_, id) => ({ ...TYPE, id })) },
    ],
    ['where the key lies: that is found out', { ...connection, apiKeyPlace: 'stored' }],
  ],
  'sweeps.start': [
    ['another route', { connection: 'main', range: { ...range, route: 'documents' } }],
    ['a page of none', { connection: 'main', range: { ...range, pageSize: 0 } }],
  ],
  'reconciliation.rows': [
    ['a class that there is not', { sweep: 1, classes: ['lost'], from: 0, limit: 1 }],
    ['no class', { sweep: 1, classes: [], from: 0, limit: 1 }],
  ],
  'reconciliation.report': [
    ['a form that there is not', { sweep: 1, format: 'pdf', language: 'en' }],
    ['a language that there is not', { sweep: 1, format: 'csv', language: 'fr' }],
  ],
  'recovery.rebuild': [
    ['nothing selected', { sweep: 1, select: {} }],
    ['both selections', { sweep: 1, select: { documents: ['a'], classes: ['missing'] } }],
  ],
}
