import type { CommandName, Params } from '#contract/commands.ts'
import { ANNOTATION_INVALID, ANNOTATION_VALID } from './annotation-samples.ts'
import { CONNECT_INVALID, CONNECT_VALID } from './connect-samples.ts'
import { COPY_INVALID, COPY_VALID } from './copy-samples.ts'
import { DOCUMENT_INVALID, DOCUMENT_VALID } from './document-samples.ts'
import { DRIFT_INVALID, DRIFT_VALID } from './drift-samples.ts'
import { FILTER_INVALID, FILTER_VALID } from './filter-samples.ts'
import { RECONCILE_INVALID, RECONCILE_VALID } from './reconcile-samples.ts'
import { REPLAY_INVALID, REPLAY_VALID } from './replay-samples.ts'
import { SANDBOX_INVALID, SANDBOX_VALID } from './sandbox-samples.ts'
import { SCHEDULE_INVALID, SCHEDULE_VALID } from './schedule-samples.ts'
import { TIMELINE_INVALID, TIMELINE_VALID } from './timeline-samples.ts'
import { TRASH_INVALID, TRASH_VALID } from './trash-samples.ts'

/** Parameters that a window or the command line really sends: the least and the fullest of each command. */
export const VALID: { readonly [C in CommandName]: readonly [Params<C>, ...Params<C>[]] } = {
  'app.info': [{}],
  'status.get': [{}],
  'receiver.start': [{}, { host: '::1', port: 0 }],
  'receiver.stop': [{}],
  'deliveries.page': [
    { filter: '', from: 0, limit: 1 },
    { filter: 'kind:factura.*', from: 'newest', limit: 1_000 },
    { filter: '', from: 'newest', limit: 1, sort: { by: 'document', descending: false } },
    { filter: '', from: 200, limit: 200, sort: { by: 'took', descending: true, upto: 1_000_000 } },
  ],
  'deliveries.scan': [
    { filter: '', after: null, limit: 1_000 },
    { filter: '', after: 0, limit: 1, newest: true },
  ],
  'deliveries.locate': [
    { filter: '', id: 1 },
    { filter: '', id: 1, sort: { by: 'size', descending: true, upto: 7 } },
  ],
  'deliveries.at': [
    { filter: '', instant: 0 },
    { filter: 'is:late', instant: 1_795_000_000_000, sort: { by: 'arrival', descending: false } },
  ],
  'deliveries.summary': [{ filter: 'x'.repeat(10_000) }],
  'deliveries.get': [{ id: 1 }, { id: Number.MAX_SAFE_INTEGER, reveal: true }],
  'deliveries.body': [{ id: 1, view: 'raw', from: 0, length: 1, reveal: true }],
  'deliveries.pin': [
    { ids: [], pinned: true },
    { ids: [1, 2], pinned: false },
  ],
  'deliveries.settled': [{ timeoutMs: 0 }, { timeoutMs: 60_000 }],
  'coverage.list': [{ from: 0, to: 1_795_000_000_000 }],
  'settings.get': [{}],
  'settings.update': [
    {},
    {
      receiver: {
        ...{ host: '0.0.0.0', port: 4400, bodyLimit: 1_024, publicUrl: 'https://hooks.example/in' },
        tls: { certificate: 'C:\\tls\\chain.pem', key: '/etc/tls/key.pem' },
      },
      masking: { names: ['X-Odd-*', '!key', 'contraseña'] },
      retention: { budgetBytes: 10_000_000, overBudget: 'delete-oldest', rejectedDeliveries: 100 },
      appearance: { theme: 'dark', language: 'es' },
    },
  ],
  'endpoints.save': [
    {
      previousName: 'default',
      name: 'erp-2',
      path: '/hooks/erp%20x',
      enabled: false,
      answer: { status: 599, headers: [['X-One', 'é\t']], body: 'ñ', delayMs: 600_000 },
    },
  ],
  'endpoints.remove': [{ name: 'a' }],
  'endpoints.set-secret': [{ name: 'a', header: 'X-Webhook-Secret', value: 's', keepPrevious: true }],
  'endpoints.clear-secret': [{ name: 'a', which: 'previous' }],
  'retention.preview': [{ keepNewest: 0 }, { before: 1 }, { freeBytes: 1 }],
  'retention.apply': [{ keepNewest: 10 }],
  'store.salvage': [{ at: 1_795_000_000_000 }],
  'ui.link': [{}],
  ...SANDBOX_VALID,
  ...REPLAY_VALID,
  ...RECONCILE_VALID,
  ...SCHEDULE_VALID,
  ...TIMELINE_VALID,
  ...COPY_VALID,
  ...CONNECT_VALID,
  ...DOCUMENT_VALID,
  ...DRIFT_VALID,
  ...FILTER_VALID,
  ...ANNOTATION_VALID,
  ...TRASH_VALID,
}

const page = { filter: '', from: 0, limit: 1 }
const body = { id: 1, view: 'raw', from: 0, length: 1 }
const answer = { status: 200, headers: [], body: '', delayMs: 0 }
const endpoint = { name: 'a', path: '/', enabled: true, answer }
const secret = { name: 'a', header: 'X', value: 'v', keepPrevious: false }

/** What a boundary must refuse, besides what the test makes of VALID by itself. */
export const INVALID: Partial<Record<CommandName, readonly (readonly [what: string, params: unknown])[]>> = {
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
  ...SANDBOX_INVALID,
  ...REPLAY_INVALID,
  ...RECONCILE_INVALID,
  ...SCHEDULE_INVALID,
  ...TIMELINE_INVALID,
  ...COPY_INVALID,
  ...CONNECT_INVALID,
  ...DOCUMENT_INVALID,
  ...DRIFT_INVALID,
  ...FILTER_INVALID,
  ...ANNOTATION_INVALID,
  ...TRASH_INVALID,
}
