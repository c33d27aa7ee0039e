import type { CommandName } from '#contract/commands.ts'
import {
  DEFAULT_CONNECTION,
  DEFAULT_JOB_OPTIONS,
  DEFAULT_SCHEDULE,
  DEFAULT_TARGET,
} from '#contract/defaults.ts'

const page = { filter: '', from: 0, limit: 1 }
const body = { id: 1, view: 'raw', from: 0, length: 1 }
const answer = { status: 200, headers: [], body: '', delayMs: 0 }
const endpoint = { name: 'a', path: '/', enabled: true, answer }
const secret = { name: 'a', header: 'X', value: 'v', keepPrevious: false }
const sort = { by: 'last', descending: true } as const
const day = { from: 1_794_960_000_000, to: 1_795_046_400_000 }
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
const target = { name: 'erp', url: 'http://127.0.0.1:3000/hook', ...DEFAULT_TARGET }
const run = { source: { type: 'filter', filter: '' }, options }
const { apiKey: _key, pluginToken: _token, ...defaults } = DEFAULT_CONNECTION
const connection = { ...defaults, name: 'main', baseUrl: 'https://api.example.test' }
const TYPE = { id: 31, group: 'gasto' } as const
const range = {
  route: 'accounting',
  from: '2026-10-01',
  to: '2026-10-31T23:59:59-04:00',
  documentTypeId: null,
  pageSize: 200,
}
const schedule = { ...DEFAULT_SCHEDULE, connection: 'main' }

/** What a boundary refuses beyond types, bounds and unknown members, which hold for all commands. */
export const REFUSED: Partial<Record<CommandName, readonly (readonly [what: string, params: unknown])[]>> = {
  'receiver.start': [
    ['a port above 65535', { port: 65_536 }],
    ['a negative port', { port: -1 }],
    ['an empty host', { host: '' }],
    ['a host beyond 255 characters', { host: 'x'.repeat(256) }],
  ],
  'deliveries.page': [
    ['a filter beyond 10,000 characters', { ...page, filter: 'x'.repeat(10_001) }],
    ['no rows', { ...page, limit: 0 }],
    ['more than 1,000 rows', { ...page, limit: 1_001 }],
    ['an order by something else', { ...page, sort: { by: 'body', descending: true } }],
    ['an order without a direction', { ...page, sort: { by: 'size' } }],
    ['an order up to a broken id', { ...page, sort: { by: 'size', descending: true, upto: 1.5 } }],
    ['a negative position', { ...page, from: -1 }],
    ['a broken position', { ...page, from: 0.5 }],
    ['an unsafe position', { ...page, from: 2 ** 53 }],
    ['another word for a position', { ...page, from: 'oldest' }],
  ],
  'deliveries.locate': [['id 0', { filter: '', id: 0 }]],
  'deliveries.at': [
    ['a time before 1970', { filter: '', instant: -1 }],
    ['a time that no calendar has', { filter: '', instant: 8_640_000_000_000_001 }],
  ],
  'deliveries.get': [
    ['an id as text', { id: '1' }],
    ['no number', { id: Number.NaN }],
    ['an endless number', { id: Number.POSITIVE_INFINITY }],
  ],
  'deliveries.body': [
    ['another view', { ...body, view: 'hex' }],
    ['a slice beyond 8 MiB', { ...body, length: 8 * 1_048_576 + 1 }],
  ],
  'deliveries.pin': [
    ['more than 10,000 ids', { ids: Array.from({ length: 10_001 }, (_, i) => i + 1), pinned: true }],
  ],
  'deliveries.settled': [['a wait beyond a minute', { timeoutMs: 60_001 }]],
  'settings.update': [
    ['files of another folder', { receiver: { tls: { certificate: 'chain.pem', key: 'key.pem' } } }],
    ['a certificate without its key', { receiver: { tls: { certificate: '/etc/tls/chain.pem' } } }],
    ['a public address that is none', { receiver: { publicUrl: 'hooks.example' } }],
    ['a typo inside', { receiver: { prot: 1 } }],
    ['endpoints, which have commands of their own', { endpoints: [] }],
    ['another theme', { appearance: { theme: 'blue' } }],
    ['a body limit beyond 1 GiB', { receiver: { bodyLimit: 2 ** 30 + 1 } }],
    ['a budget of nothing', { retention: { budgetBytes: 0 } }],
    ['a masked name that is everything', { masking: { names: ['*'] } }],
    ['a masked name of two words', { masking: { names: ['X Key'] } }],
    ['a policy that is none', { retention: { overBudget: 'delete' } }],
    ['a ring of nothing', { retention: { malformedBytes: 0 } }],
  ],
  'endpoints.save': [
    ...['', 'A', '-a', 'a-', 'a b', 'ñ', 'a'.repeat(61)].map(
      (name) => [`the name "${name}"`, { ...endpoint, name }] as const,
    ),
    ...['', 'x', '/a b', '/a?b', '/a#b', '/ñ', '/\n', `/${'x'.repeat(2_000)}`].map(
      (path) => [`the path ${JSON.stringify(path.slice(0, 20))}`, { ...endpoint, path }] as const,
    ),
    ...[100, 199, 600, 200.5].map(
      (status) => [`the status ${status}`, { ...endpoint, answer: { ...answer, status } }] as const,
    ),
    [
      'a header that would split the answer',
      { ...endpoint, answer: { ...answer, headers: [['X', 'a\r\nSet-Cookie: b']] } },
    ],
    ['a header name with a colon', { ...endpoint, answer: { ...answer, headers: [['X:', 'a']] } }],
    ['a header value beyond latin-1', { ...endpoint, answer: { ...answer, headers: [['X', '€']] } }],
    ['a header of three parts', { ...endpoint, answer: { ...answer, headers: [['X', 'a', 'b']] } }],
    ['an endless delay', { ...endpoint, answer: { ...answer, delayMs: 600_001 } }],
  ],
  'endpoints.set-secret': [
    ['an empty value, which anyone could send', { ...secret, value: '' }],
    ['a value with a line break', { ...secret, value: 'a\nb' }],
    ['a header name with a space', { ...secret, header: 'X Secret' }],
    ['a value beyond 64 KiB', { ...secret, value: 'x'.repeat(65_537) }],
  ],
  'endpoints.clear-secret': [['another word', { name: 'a', which: 'both' }]],
  'retention.preview': [
    ['none of the three', {}],
    ['two of the three', { keepNewest: 1, before: 1 }],
  ],
  'retention.apply': [
    ['none of the three, which could mean everything', {}],
    ['all of the three', { keepNewest: 1, before: 1, freeBytes: 1 }],
    ['a negative count', { keepNewest: -1 }],
  ],
  'deliveries.annotate': [
    ['an id that none has', { ids: [0], note: 'x' }],
    ['a note that is too long', { ids: [1], note: 'x'.repeat(10_001) }],
    ['a note with a NUL', { ids: [1], note: 'a\0b' }],
    ['a tag that is too long', { ids: [1], addTags: ['x'.repeat(41)] }],
    ['a blank tag', { ids: [1], addTags: [' '] }],
    ['a tag of two words', { ids: [1], addTags: ['two words'] }],
    ['a tag that ends a filter value', { ids: [1], addTags: ['a,b'] }],
    ['a tag in quotes', { ids: [1], addTags: ['"a"'] }],
    ['a tag that is a wildcard', { ids: [1], addTags: ['a*'] }],
    ['a tag nobody can see', { ids: [1], addTags: ['\u200b'] }],
    ['more tags than a delivery can have', { ids: [1], addTags: [...'abcdefghijklmnopqrstu'] }],
  ],
  'deliveries.rows': [['none', { ids: [] }]],
  'deliveries.copy': [
    ['another form', { ids: [1], as: 'xml' }],
    ['more than 1,000', { ids: Array.from({ length: 1_001 }, (_, i) => i + 1), as: 'json' }],
    ['an address with a path', { ids: [1], as: 'curl', base: 'http://127.0.0.1/x' }],
    ['an address that would be more than one word', { ids: [1], as: 'curl', base: "http://a'; rm -rf /" }],
  ],
  'documents.page': [
    ['a column that there is not', { query: '', sort: { by: 'size', descending: true }, from: 0, limit: 1 }],
    ['a gap that there is not', { query: '', gaps: ['lost'], sort, from: 0, limit: 1 }],
    ['no gap', { query: '', gaps: [], sort, from: 0, limit: 1 }],
  ],
  'documents.get': [['no key', { key: '' }]],
  'filters.save': [
    ['a name that could be an option', { name: '--x', filter: 'a' }],
    ['no filter', { name: 'x', filter: '' }],
  ],
  'filter.counts': [['a field that is not counted', { field: 'doc', filter: '' }]],
  'timeline.get': [
    ['more bars than can be drawn', { ...day, bucketMs: 1_000, by: 'verdict', filter: '' }],
    ['an end before the beginning', { from: 2, to: 1, bucketMs: 1_000, by: 'verdict', filter: '' }],
    ['another stacking', { ...day, bucketMs: 60_000, by: 'endpoint', filter: '' }],
  ],
  'deliveries.trash': [
    ['nothing: everything must be said', {}],
    ['both', { ids: [1], filter: '' }],
    ['no id', { ids: [] }],
    ['an end of named ids', { ids: [1], upTo: 9 }],
  ],
  'deliveries.restore': [['no batch', {}]],
  'trash.empty': [['no batch of that number', { batch: 0 }]],
  'connect.test': [
    ['no absolute address', { url: 'hooks.example' }],
    ['another scheme', { url: 'ftp://hooks.example/' }],
    ['a password in the address', { url: 'https://me:secret@hooks.example/' }],
    ['a method that the service does not use', { url: 'https://hooks.example/', method: 'DELETE' }],
  ],
  'drift.list': [['a date as text', { since: '2026-11-21' }]],
  'drift.profile': [
    ['no kind', {}],
    ['an empty kind', { kind: '' }],
  ],
  'drift.events': [['too many', { from: 0, limit: 1_001 }]],
  'drift.reset': [['several kinds', { kind: ['factura.created'] }]],
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
  'schedules.save': [
    ['no time at all', { ...schedule, time: {} }],
    ['both kinds of time', { ...schedule, time: { every: 60, at: '06:30' } }],
    ['every 0 minutes', { ...schedule, time: { every: 0 } }],
    ['every half minute', { ...schedule, time: { every: 0.5 } }],
    ['a time of the day that there is not', { ...schedule, time: { at: '24:00' } }],
    ['a time without its zero', { ...schedule, time: { at: '6:30' } }],
    ['no weekday', { ...schedule, time: { at: '06:30', weekdays: [] } }],
    ['a weekday twice', { ...schedule, time: { at: '06:30', weekdays: ['mon', 'mon'] } }],
    ['an overlap into the future', { ...schedule, overlapMinutes: -1 }],
    ['no day to look back', { ...schedule, lookBackDays: 0 }],
    ['an address to recover to', { ...schedule, recoverTo: 'http://127.0.0.1:3000' }],
  ],
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
