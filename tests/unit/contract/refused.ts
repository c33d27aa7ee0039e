import type { CommandName } from '#contract/commands.ts'
import { DEFAULT_JOB_OPTIONS, DEFAULT_SCHEDULE, DEFAULT_TARGET } from '#contract/defaults.ts'
import { aConnection } from '../../support/records.ts'

const page = { filter: '', from: 0, limit: 1 }
const answer = { status: 200, headers: [], body: '', delayMs: 0 }
const endpoint = { name: 'a', path: '/', enabled: true, answer }
const secret = { name: 'a', header: 'X', value: 'v', keepPrevious: false }
const day = { from: 1_794_960_000_000, to: 1_795_046_400_000 }
const options = { ...DEFAULT_JOB_OPTIONS, to: { target: 'erp' } }
const fault = { endpoint: null, probability: 1, seed: 0, filter: '', next: null, until: null } as const
const target = { name: 'erp', url: 'http://127.0.0.1:3000/hook', ...DEFAULT_TARGET }
const run = { source: { type: 'filter', filter: '' }, options }
const connection = aConnection()
const TYPE = { id: 31, group: 'gasto' } as const
const schedule = { ...DEFAULT_SCHEDULE, connection: 'main' }

/** Invalid parameters by command, beyond types, bounds and unknown members, which a test covers for all commands. */
export const REFUSED: Partial<Record<CommandName, readonly (readonly [what: string, params: unknown])[]>> = {
  'receiver.start': [['a port above 65535', { port: 65_536 }]],
  'deliveries.page': [
    ['a filter beyond 10,000 characters', { ...page, filter: 'x'.repeat(10_001) }],
    ['more than 1,000 rows', { ...page, limit: 1_001 }],
    ['an order up to a broken id', { ...page, sort: { by: 'size', descending: true, upto: 1.5 } }],
  ],
  'deliveries.at': [['a time that no calendar has', { filter: '', instant: 8_640_000_000_000_001 }]],
  'deliveries.get': [['an endless number', { id: Number.POSITIVE_INFINITY }]],
  'settings.update': [
    ['files of another folder', { receiver: { tls: { certificate: 'chain.pem', key: 'key.pem' } } }],
    ['a certificate without its key', { receiver: { tls: { certificate: '/etc/tls/chain.pem' } } }],
    ['a public address that is none', { receiver: { publicUrl: 'hooks.example' } }],
    ['endpoints, which have commands of their own', { endpoints: [] }],
    ['a masked name that is everything', { masking: { names: ['*'] } }],
    ['a masked name of two words', { masking: { names: ['X Key'] } }],
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
      'a header that splits the answer',
      { ...endpoint, answer: { ...answer, headers: [['X', 'a\r\nY: b']] } },
    ],
    ['a header name with a colon', { ...endpoint, answer: { ...answer, headers: [['X:', 'a']] } }],
    ['a header value beyond latin-1', { ...endpoint, answer: { ...answer, headers: [['X', '€']] } }],
    ['a header of three parts', { ...endpoint, answer: { ...answer, headers: [['X', 'a', 'b']] } }],
  ],
  'endpoints.set-secret': [
    ['an empty value, which anyone could send', { ...secret, value: '' }],
    ['a value with a line break', { ...secret, value: 'a\nb' }],
    ['a header name with a space', { ...secret, header: 'X Secret' }],
    ['a value beyond 64 KiB', { ...secret, value: 'x'.repeat(65_537) }],
  ],
  'retention.preview': [
    ['none of the three', {}],
    ['two of the three', { keepNewest: 1, before: 1 }],
  ],
  'retention.apply': [
    ['none of the three, which could mean everything', {}],
    ['all of the three', { keepNewest: 1, before: 1, freeBytes: 1 }],
  ],
  'deliveries.annotate': [
    ['a note with a NUL', { ids: [1], note: 'a\0b' }],
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
    ['an address with a path', { ids: [1], as: 'curl', base: 'http://127.0.0.1/x' }],
    ['an address that would be more than one word', { ids: [1], as: 'curl', base: "http://a'; rm -rf /" }],
  ],
  'filters.save': [['a name that could be an option', { name: '--x', filter: 'a' }]],
  'timeline.get': [
    ['more bars than can be drawn', { ...day, bucketMs: 1_000, by: 'verdict', filter: '' }],
    ['an end before the beginning', { from: 2, to: 1, bucketMs: 1_000, by: 'verdict', filter: '' }],
  ],
  'deliveries.trash': [
    ['nothing: everything must be said', {}],
    ['both', { ids: [1], filter: '' }],
    ['an end of named ids', { ids: [1], upTo: 9 }],
  ],
  'connect.test': [
    ['no absolute address', { url: 'hooks.example' }],
    ['another scheme', { url: 'ftp://hooks.example/' }],
    ['a password in the address', { url: 'https://me:secret@hooks.example/' }],
    ['a method that the service does not use', { url: 'https://hooks.example/', method: 'DELETE' }],
  ],
  'targets.save': [
    ...['file:///etc/passwd', 'ftp://h/', 'http://user@h/', 'erp', '//h/', 'http://', ''].map(
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
    ['a body that is no base64', { delivery: 1, to: { target: 'erp' }, edit: { bodyBase64: '{}' } }],
    ['an edited URL with a host', { delivery: 1, to: { target: 'erp' }, edit: { url: 'http://h/' } }],
  ],
  'attempts.list': [['both directions', { of: { delivery: 1 }, before: 2, after: 1, limit: 1 }]],
  'jobs.start': [
    ['a status that is none', { ...run, options: { ...options, failures: ['6xx'] } }],
    ['malformed ones, never sent exactly', { ...run, options: { ...options, include: ['malformed'] } }],
  ],
  'faults.add': [['a status that ends nothing', { ...fault, effect: { type: 'status', status: 100 } }]],
  'connections.save': [
    ['an address with a password', { ...connection, baseUrl: 'https://:p@api.example.test' }],
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
  'recovery.rebuild': [
    ['nothing selected', { sweep: 1, select: {} }],
    ['both selections', { sweep: 1, select: { documents: ['a'], classes: ['missing'] } }],
  ],
  'schedules.save': [
    ['no time at all', { ...schedule, time: {} }],
    ['both kinds of time', { ...schedule, time: { every: 60, at: '06:30' } }],
    ['a time of the day that there is not', { ...schedule, time: { at: '24:00' } }],
    ['a time without its zero', { ...schedule, time: { at: '6:30' } }],
    ['a weekday twice', { ...schedule, time: { at: '06:30', weekdays: ['mon', 'mon'] } }],
    ['an address to recover to', { ...schedule, recoverTo: 'http://127.0.0.1:3000' }],
  ],
  'sandbox.start': [['a port above 65535', { port: 65_536 }]],
  'sandbox.save-subscription': [
    ['a header without a value', { headers: [{ name: 'X' }] }],
    ['a header with a mask for a value', { headers: [{ name: 'X', value: 'v', masked: true }] }],
  ],
  'sandbox.log-entries': [['more than 100 entries, which could be 1.6 GB', { limit: 101 }]],
}
