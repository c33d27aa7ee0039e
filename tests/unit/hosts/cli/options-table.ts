/**
 * What an option shows: a value and a text that only the outcome with it has (`value → text`); or whole words and that text, and words to
 * compare with instead of the row's.
 */
type Shown = string | readonly [words: string, text: string, instead?: string]
export interface Row {
  /** Words after the command, without the option. Placeholders: see options.test.ts. */
  readonly run?: string
  /** Words for the tests of --json and --data, instead of `run`. */
  readonly apart?: string
  /** A command whose output belongs to the outcome. */
  readonly see?: string
  /** Runs until a signal. */
  readonly lives?: true
  /** What a command that runs until a signal reads before its stdin ends. */
  readonly stdin?: string
  /** Prints to a screen of 80 columns. */
  readonly screen?: true
  readonly options?: Readonly<Record<string, Shown>>
}

const TARGET = '{name} --url http://127.0.0.1:9/'
const TO = '--to http://127.0.0.1:9/'
const BUDGET = 'retention.budgetBytes {budget}'
const REPLAY = '--id 1 --to {hook}'
const SERVE = '--receiver-port 0 --ui-port 0 --data {fresh}'
const RECEIVE = '--log {log} --receiver-port 0 --data {fresh}'
const FOLLOW = '--log {log} --ui-port 0 --data {fresh}'
/** What an agent asks on stdin: to be let in, and for the tools. */
const CLIENT = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'agent', version: '1' },
}
const AGENT = [
  { id: 1, method: 'initialize', params: CLIENT },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('')
/** Options of a command that receives. @param run its words without the receiver's port */
const receiving = (run: string): Row['options'] => ({
  'receiver-port': '{port} → http://127.0.0.1:{port}/',
  'receiver-host': '127.0.0.2 → http://127.0.0.2:',
  'tls-cert': [`${run} --tls-cert x.pem`, 'needs --tls-key'],
  'tls-key': [`${run} --tls-key x.pem`, 'needs --tls-cert'],
  'tls-generated': ' → Receiver  https://',
  'metrics-port': '{port} → http://127.0.0.1:{port}/metrics',
})

/** Commands that need no service, with what shows the effect of each of their options. Later commands change more than earlier ones. */
export const OURS: Readonly<Record<string, Row>> = {
  events: {
    screen: true,
    options: {
      filter: ['--filter verdict:invalid --json', '"verdict":"invalid"'],
      limit: ['--limit 0 --json', ', 0 lines'],
      newest: ['--newest --limit 1 --json', '"id":{last}'],
      reveal: ['--reveal --limit 1 --json', 'token=s3cret', '--limit 1 --json'],
      wide: ' → ENDPOINT',
      explain: ' → strategy',
    },
  },
  'wait-for': {
    run: 'kind:factura.created --timeout 0',
    apart: 'kind:dgii.rechazado --timeout 0',
    options: {
      count: '1000 → Timed out',
      timeout: ['kind:* --since now --timeout 0.1', 'after 0.1 s'],
      since: 'now → Timed out',
    },
  },
  show: { run: '1', options: { reveal: ' → token=s3cret' } },
  annotate: {
    run: '2 --tag kept',
    see: 'show 2 --json',
    options: {
      note: '"A note" → "note":"A note"',
      tag: 'urgent → "urgent"',
      untag: ['2 --untag kept', '"tags":["urgent"]'],
    },
  },
  schema: {
    apart: '--observed',
    options: {
      format: 'typescript → export interface',
      kind: 'factura.created → urn:acuse:event:factura.created',
      openapi: ['--format openapi --openapi 3.2', '"openapi": "3.2', '--format openapi'],
      observed: ' → urn:acuse:observed',
    },
  },
  validate: { run: '{event}' },
  replay: {
    run: REPLAY,
    see: 'jobs list --json',
    options: {
      filter: ['--filter verdict:invalid --to {hook} --dry-run', '1 delivery'],
      id: ['--id 1 --id 2 --to {hook} --dry-run', '2 deliveries'],
      document: ['--document {document} --to {hook}', '"type":"document"'],
      to: ['--id 1 --to http://127.0.0.1:11/', 'Nothing listens at http://127.0.0.1:11'],
      header: '"X-Shown: yes" → X-Shown',
      rate: '50 → "ratePerSecond":50',
      concurrency: '7 → "concurrency":7',
      order: 'document → "order":"document"',
      'keep-gaps': '10 → "gaps":10',
      'stop-after': '5 → "stopAfterFailures":5',
      retries: '2 → "times":2',
      'retry-delay': ['--id 1 --to {hook} --retries 1 --retry-delay 1500', '"delayMs":1500'],
      'fail-on': '418 → "failures":["418"]',
      include: 'rejected → "include":["rejected"]',
      'dry-run': ' → Would be sent',
    },
  },
  'jobs list': {},
  'jobs show': { run: '{failed}', options: { attempts: ' → POST http', failed: ' → POST http' } },
  'jobs pause': { run: '{running}' },
  'jobs resume': { run: '{paused}', options: { follow: ' → sent,' } },
  'jobs retry-failed': { run: '{failed}', options: { follow: ' → failed,' } },
  'jobs cancel': { run: '{running}' },
  'jobs remove': { run: '{failed}' },
  export: {
    run: '--format ndjson',
    apart: '--out {folder}/all.csv',
    options: {
      format: ['--format csv', 'receivedAt,'],
      out: ['--out {folder}/all.acuse', 'deliveries written to', '--format ndjson'],
      id: ['--id 1 --preview', 'Deliveries: 1.', '--preview'],
      document: ['--document absent --preview', 'Deliveries: 0.', '--preview'],
      job: ['--job {failed} --preview', 'Deliveries: 2.', '--preview'],
      sweep: '999 → There is no sweep 999',
      bodies: ' → "httpVersion"',
      columns: ['--format csv --columns kind,id', 'kind,id', '--format csv'],
      base: ['--format curl --base http://127.0.0.1:10', 'http://127.0.0.1:10/', '--format curl'],
      reveal: ' → token=s3cret',
      unmask: ' → {party}',
      preview: ' → would mask',
    },
  },
  import: {
    run: '{payload}',
    see: 'events --filter is:imported --json',
    options: { endpoint: 'files → "endpoint":"files"' },
  },
  open: {
    run: '{session} --ui-port 0 --no-open',
    lives: true,
    options: {
      'ui-port': [
        '{session} --no-open --ui-port {port}',
        'http://127.0.0.1:{port}/',
        '{session} --no-open --ui-port 0',
      ],
      'no-open': ['{session} --ui-port 0 --no-open', 'Open the link in a browser', '{session} --ui-port 0'],
    },
  },
  backup: { run: '{fresh}' },
  'targets set': {
    run: TARGET,
    see: 'targets list --json',
    options: {
      url: ['{name} --url http://127.0.0.1:10/', '"url":"http://127.0.0.1:10/"'],
      rename: ['{target} --rename other', '"name":"other"'],
      method: 'PATCH → "method":"PATCH"',
      path: 'append → "path":"append"',
      query: 'target → "query":"target"',
      header: '"X-Tenant: 5" → "X-Tenant"',
      'secret-header': 'X-Masked=TOKEN → "name":"X-Masked"',
      'remove-header': 'X-Gone → X-Gone',
      strip: 'X-Strip → "remove":["X-Strip"]',
      'strip-nothing': ['{stripping} --strip-nothing', '{stripping} changed'],
      'connect-timeout': '1234 → "connectMs":1234',
      'answer-timeout': '2345 → "answerMs":2345',
      'total-timeout': '3456 → "totalMs":3456',
      'any-certificate': 'yes → "acceptAnyCertificate":true',
      'keep-secret': 'yes → "keepSecret":true',
      'keep-credentials': 'yes → "keepCredentials":true',
      'mark-replays': 'no → "markReplays":false',
      default: ' → "defaultTarget":"',
    },
  },
  'targets list': {},
  'targets remove': { run: '{target}' },
  listen: {
    run: '--forward-to {hook}',
    see: 'forwards list --json',
    lives: true,
    options: {
      'forward-to': ['--forward-to http://127.0.0.1:9/', 'Forward   http://127.0.0.1:9/'],
      filter: 'kind:gasto.* → (kind:gasto.*)',
      print: ['--print', 'events are only printed'],
      port: '1 → leave out --port',
      answer: ' → "answerFrom":"',
      concurrency: '11 → "concurrency":11',
      'when-down': 'drop → "whenDown":"drop"',
    },
  },
  'forwards set': {
    run: '{name} --to http://127.0.0.1:9/',
    see: 'forwards list --json',
    options: {
      to: ['{name} --to http://127.0.0.1:10/', '"targets":["http://127.0.0.1:10/"]'],
      filter: 'kind:gasto.* → "filter":"kind:gasto.*"',
      on: 'no → "enabled":false',
      concurrency: '9 → "concurrency":9',
      'when-down': 'drop → "whenDown":"drop"',
      'answer-from': 'http://127.0.0.1:9/ → "answerFrom":"http://127.0.0.1:9/"',
      'answer-timeout': [
        '{name} --to http://127.0.0.1:9/ --answer-from http://127.0.0.1:9/ --answer-timeout 1234',
        '"answerTimeoutMs":1234',
      ],
      rename: ['{forward} --rename forwarded', '"name":"forwarded"'],
    },
  },
  'forwards list': {},
  'forwards retry': { run: '{forward}' },
  'forwards clear': { run: '{forward} http://127.0.0.1:9/' },
  'forwards remove': { run: '{forward}' },
  'faults add': {
    run: '--effect delay:1ms',
    see: 'faults list --json',
    options: {
      effect: ['--effect status:503', '"status":503'],
      endpoint: 'default → "endpoint":"default"',
      filter: 'kind:gasto.* → "filter":"kind:gasto.*"',
      probability: '0.25 → "probability":0.25',
      seed: ['--effect delay:1ms --probability 0.5 --seed 77', '"seed":77'],
      next: '5 → "next":5',
      until: '10m → "until":1',
    },
  },
  'faults list': {},
  'faults remove': { run: '{fault}' },
  'faults clear': {},
  'alerts set': {
    run: `{name} --on silence ${TO}`,
    see: 'alerts list --json',
    options: {
      on: [`{name} --on invalid ${TO}`, '"cause":"invalid"'],
      to: ['{name} --on silence --to http://127.0.0.1:10/', '"target":"http://127.0.0.1:10/"'],
      program: ['{name} --on silence --program tell.sh', 'is not there or cannot be run'],
      filter: 'kind:gasto.* → "filter":"kind:gasto.*"',
      minutes: '45 → "minutes":45',
      hours: '07:15-18:00 → "from":"07:15"',
      days: 'mon → "weekdays":["mon"]',
      zone: 'Europe/Madrid → "zone":"Europe/Madrid"',
      always: [
        '{quiet} --always',
        '"name":"{quiet}","enabled":true,"cause":"silence","filter":"","minutes":15,"hours":null',
        '{quiet} --minutes 15',
      ],
      enabled: 'no → "enabled":false',
      rename: ['{quiet} --rename loud', '"name":"loud"'],
    },
  },
  'alerts list': {},
  'alerts test': { run: '{quiet}' },
  'alerts remove': { run: '{quiet}' },
  mcp: {
    apart: '--http',
    stdin: AGENT,
    lives: true,
    options: {
      'allow-write': ' → trigger_event',
      http: ' → MCP: http',
      port: ['--http --port {port}', 'http://127.0.0.1:{port}/'],
    },
  },
  link: {},
  verify: {},
  completion: { run: 'bash' },
  man: {},
  serve: {
    run: SERVE,
    see: 'config get --data {fresh}',
    lives: true,
    options: {
      ...receiving('--ui-port 0 --data {fresh}'),
      'ui-port': '{port} → http://127.0.0.1:{port}/',
      'no-ui': ['--receiver-port 0 --data {fresh} --no-ui', 'not served'],
      origin: 'https://acuse.example → Window    https://acuse.example/#token=',
      'metrics-host': [`${SERVE} --metrics-port 0 --metrics-host 127.0.0.2`, 'http://127.0.0.2:'],
      'secret-header': 'X-Shown → X-Shown',
      sandbox: [`${SERVE} --sandbox --sandbox-port 0`, 'API key'],
      'sandbox-port': [`${SERVE} --sandbox --sandbox-port {port}`, ':{port} (API key'],
      open: ['--receiver-port 0 --no-ui --data {fresh} --open', 'Give either --no-ui or --open'],
    },
  },
  receive: {
    run: RECEIVE,
    see: 'shared status --log {log}',
    lives: true,
    options: {
      log: ['--receiver-port 0 --data {fresh}', 'Say where the shared log is'],
      name: 'shown-name → shown-name',
      ...receiving('--log {log} --data {fresh}'),
      'metrics-host': [`${RECEIVE} --metrics-host 127.0.0.2`, 'needs'],
      patience: [`${RECEIVE} --patience 61`, 'from 0.1 to 60'],
      refuse: ' → Spill     none',
      trial: [`${RECEIVE} --trial`, 'leave out --log'],
    },
  },
  follow: {
    run: FOLLOW,
    lives: true,
    options: {
      log: ['--ui-port 0 --data {fresh}', 'Say where the shared log is'],
      name: 'shown-name → shown-name',
      from: [`${FOLLOW} --from 2026-02-30`, 'Give newest, oldest or a date'],
      'ui-port': '{port} → http://127.0.0.1:{port}/',
      'no-ui': ['--log {log} --data {fresh} --no-ui', 'not served'],
      origin: 'https://acuse.example → Window  https://acuse.example/#token=',
      'metrics-port': '{port} → http://127.0.0.1:{port}/metrics',
      'metrics-host': [`${FOLLOW} --metrics-host 127.0.0.2`, 'needs'],
      open: ' → no display',
    },
  },
  'shared init': {
    run: '--log {log}',
    options: { log: ['', 'Say where the shared log is'] },
  },
  'shared roles': {},
  'shared status': {
    run: '--log {log}',
    options: { log: ['', 'Say where the shared log is'] },
  },
  'shared prune': {
    run: '--log {log} --before 2020-01-01',
    options: {
      log: ['--before 2020-01-01', 'Say where the shared log is'],
      before: ['--log {log} --before 2026-02-30', 'Give a day'],
      'dry-run': ' → Would drop',
    },
  },
  attach: {
    run: '{link} --port 0',
    lives: true,
    options: {
      port: '{port} → http://127.0.0.1:{port}/',
      'no-open': ['{link} --port 0', 'no display', '{link} --port 0 --no-open'],
    },
  },
  'service install': {
    run: '--data {fresh} --json',
    apart: '--data {fresh}',
    options: {
      'receiver-port': '4499 → --receiver-port=4499',
      'receiver-host': '127.0.0.2 → --receiver-host=127.0.0.2',
      'tls-cert': ['--data {fresh} --tls-cert x.pem', 'needs --tls-key'],
      'tls-key': ['--data {fresh} --tls-key x.pem', 'needs --tls-cert'],
      'tls-generated': ' → "--tls-generated"',
      'ui-port': '4498 → --ui-port=4498',
      'no-ui': ' → "--no-ui"',
      origin: 'https://acuse.example → --origin=https://acuse.example',
      'metrics-port': '4497 → --metrics-port=4497',
      'metrics-host': [
        '--data {fresh} --json --metrics-port 0 --metrics-host 127.0.0.2',
        '--metrics-host=127.0.0.2',
      ],
    },
  },
  'service status': { run: '{service}' },
  'service remove': { run: '{service}' },
  prune: {
    run: '--keep 1000000',
    options: {
      'older-than': ['--older-than 1ms --dry-run', 'received 2'],
      keep: ['--keep 1 --dry-run', 'received 2'],
      'max-bytes': ['--max-bytes 1 --dry-run', 'received 2'],
      'dry-run': ' → would be deleted',
    },
  },
  'config get': {},
  'config set': {
    run: 'endpoint.default.answer.body plain',
    see: 'config get endpoint.default --json',
    options: {
      'from-env': ['endpoint.default.answer.body --from-env TOKEN', 'k-3f9'],
      stdin: ['endpoint.default.answer.body --stdin', 'from stdin'],
      'keep-previous': [
        '{secret} X-Key --from-env TOKEN --keep-previous --json',
        '"values":2',
        '{secret} X-Key --from-env TOKEN --json',
      ],
      yes: [`${BUDGET} --yes`, 'retention.budgetBytes set', BUDGET],
    },
  },
  'config unset': { run: 'receiver.publicUrl' },
  'config apply': { run: '{config}', options: { yes: ['{budgetfile} --yes', 'exit 0', '{budgetfile}'] } },
  drift: {
    options: {
      kind: 'factura.created → /data/DocumentId',
      events: ['--events', 'No new observation', ''],
      markdown: ' → # ',
      reset: ['--reset --kind factura.created', 'Forgot', ''],
      all: ['--reset --all', 'of every kind', '--reset'],
    },
  },
}
