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
  /** Prints to a screen of 80 columns. */
  readonly screen?: true
  readonly options?: Readonly<Record<string, Shown>>
}

const TARGET = '{name} --url http://127.0.0.1:9/'
const DAYS = '--from 2020-01-01 --to 2030-01-01'
const RECONCILE = `--base-url {sandbox} ${DAYS}`
const REPORT = `${RECONCILE} --report {folder}/r.md`
const REPLAY = '--id 1 --to {hook}'
const plugin = (run: string): Row => ({
  run: `${run} --json`,
  options: {
    name: '"Named plugin" → "name":"Named plugin"',
    url: 'http://127.0.0.1:9/p1 → "url":"http://127.0.0.1:9/p1"',
    'no-url': [
      `${run} --url http://127.0.0.1:9/p2 --no-url --json`,
      '"url":null',
      `${run} --url http://127.0.0.1:9/p2 --json`,
    ],
    'event-types': 'cobro.registrado → "eventTypes":["cobro.registrado"]',
    active: [`${run} --active --inactive`, '--active cannot be used with --inactive'],
    inactive: ' → "active":false',
  },
})
const subscription = {
  name: 'Ventas → "name":"Ventas"',
  method: 'PUT → "method":"PUT"',
  header: '"X-Tenant: 5" → "name":"X-Tenant"',
  'header-env': '"X-Other: TOKEN" → "name":"X-Other"',
  kinds: 'dgii.aprobado → "kinds":["dgii.aprobado"]',
  inactive: ' → "active":false',
} as const

/** Every command, with what shows the effect of each of its options. Later commands change more than earlier ones. */
export const TABLE: Readonly<Record<string, Row>> = {
  events: {
    screen: true,
    options: {
      filter: ['--filter verdict:invalid --json', '"verdict":"invalid"'],
      limit: ['--limit 0 --json', '0 lines'],
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
      port: '0 → --port is not used',
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
      'answer-timeout': '1234 → "answerTimeoutMs":1234',
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
      seed: '77 → "seed":77',
      next: '5 → "next":5',
      until: '10m → "until":1',
    },
  },
  'faults list': {},
  'faults remove': { run: '{fault}' },
  'faults clear': {},
  'connections set': {
    run: '{name} --base-url http://127.0.0.1:9',
    see: 'connections list --json',
    options: {
      'base-url': ['{name} --base-url http://127.0.0.1:10', '"baseUrl":"http://127.0.0.1:10"'],
      rename: ['{connection} --rename renamed', '"name":"renamed"'],
      'api-key-env': 'GONE → environment has no GONE',
      'api-key-stdin': ' → empty',
      'forget-api-key': [' {connection} --api-key-env TOKEN --forget-api-key', 'Give one of'],
      'plugin-token-env': 'TOKEN → "pluginToken":"stored"',
      'plugin-token-stdin': ' → empty',
      'forget-plugin-token': ['{connection} --plugin-token-env TOKEN --forget-plugin-token', 'Give one of'],
      'plugin-header': 'X-Plugin → "name":"X-Plugin"',
      'plugin-scheme': 'Token → "scheme":"Token"',
      endpoint: 'default → "endpoints":["default"]',
      'all-endpoints': ['{connection} --endpoint default --all-endpoints', 'Give either'],
      kinds: 'gasto.* → "kinds":["gasto.created"',
      zone: 'Europe/Madrid → "zone":"Europe/Madrid"',
      'connect-timeout': '1234 → "connectMs":1234',
      'answer-timeout': '2345 → "answerMs":2345',
      'total-timeout': '3456 → "totalMs":3456',
      proxy: 'none → "proxy":"none"',
      'any-certificate': 'yes → "acceptAnyCertificate":true',
      map: 'issuedAt=/when → /when',
      'forget-mapping': ['{connection} --map issuedAt=/a --forget-mapping', 'Give either'],
      'document-types': '77=factura → "documentTypes":[{',
      'types-complete': [
        '{connection} --document-types 77=factura --types-complete yes',
        '"documentTypesComplete":true',
      ],
      'issued-hours': '48 → "issuedHours":48',
      'returned-minutes': '20 → "returnedMinutes":20',
      'ignore-field': 'Total → "Total"',
      'ignore-nothing': ' → "ignoredFields":[]',
    },
  },
  'connections list': {},
  'connections test': {
    run: '{account}',
    options: { route: 'both → accounting, treasury' },
  },
  'connections schedule': {
    run: '{connection} --every 60 --off',
    see: 'connections schedule {connection} --json',
    options: {
      every: ['{connection} --every 45', '"every":45'],
      at: ['{connection} --at 06:30', '"at":"06:30"'],
      days: ['{connection} --at 06:30 --days mon', '"weekdays":["mon"]'],
      route: 'treasury → "route":"treasury"',
      overlap: '15 → "overlapMinutes":15',
      'look-back': '3 → "lookBackDays":3',
      notify: 'no → "notify":false',
      'recover-to': '{target} → "recoverTo":"',
      on: ['{connection} --every 60 --on', '"enabled":true'],
      off: ['{connection} --every 60 --on --off', 'Give either'],
      remove: ['{scheduled} --remove', 'was removed'],
      'run-now': ['{connection} --run-now', 'no schedule'],
    },
  },
  'connections remove': { run: '{connection}' },
  reconcile: {
    run: RECONCILE,
    options: {
      connection: ['--connection absent --from 2020-01-01 --to 2030-01-01', 'absent'],
      'base-url': [RECONCILE, 'accounting-sync', DAYS],
      from: ['--base-url {sandbox} --from 2020-01-05 --to 2030-01-01', '2020-01-05'],
      to: ['--base-url {sandbox} --from 2020-01-01 --to 2030-01-05', '2030-01-05'],
      route: 'treasury → treasury-sync ',
      'document-type-id': '999 → complete: 0 documents',
      'page-size': [`${RECONCILE} --page-size 501`, 'from 1 to 500'],
      'recover-to': '{hook} → recover',
      'fail-on': 'webhook-only → exit 1',
      report: '{folder}/r.html → <html',
      language: [`${REPORT} --language es`, 'Conciliación', REPORT],
      unmask: [
        `${RECONCILE} --report {folder}/r.json --unmask`,
        '{party}',
        `${RECONCILE} --report {folder}/r.json`,
      ],
    },
  },
  publish: {
    run: 'cobro.registrado --base-url {sandbox}',
    options: {
      data: '{nojson} → JSON',
      connection: ['cobro.registrado --connection absent', 'absent'],
      'base-url': ['cobro.registrado --base-url http://127.0.0.1:9', '127.0.0.1:9'],
    },
  },
  'sandbox subscriptions add': {
    run: 'http://127.0.0.1:9/{name} --kinds gasto.created --json',
    options: {
      ...subscription,
      active: ['http://127.0.0.1:9/ --active --inactive', '--active cannot be used'],
    },
  },
  'sandbox subscriptions set': {
    run: '{subscription} --name Otra --json',
    options: {
      ...subscription,
      url: 'http://127.0.0.1:9/set → "url":"http://127.0.0.1:9/set"',
      'remove-header': 'X-Gone → X-Gone',
      active: ['{subscription} --active --inactive', '--active cannot be used'],
    },
  },
  'sandbox subscriptions list': {},
  'sandbox subscriptions test': { run: '{subscription}' },
  'sandbox subscriptions remove': { run: '{subscription}' },
  'sandbox keys issue': { see: 'sandbox keys list --json', options: { name: 'ERP → "name":"ERP"' } },
  'sandbox keys list': {},
  'sandbox keys revoke': { run: '{key}' },
  'sandbox plugins install': plugin(''),
  'sandbox plugins set': plugin('{plugin} --name Set'),
  'sandbox plugins list': {},
  'sandbox plugins remove': { run: '{plugin}' },
  'sandbox plan': { run: 'professional' },
  trigger: {
    run: 'factura.created --url {hook}',
    apart: 'factura.created',
    options: {
      scenario: ['--scenario accepted --url {hook}', 'dgii.aprobado'],
      list: ['--list', 'outage-day'],
      set: ['factura.created --set /data/x=no --url {hook}', 'is not JSON'],
      count: '2 → 2 events',
      seed: ['factura.created --url {hook} --seed 7 --json', '"subject":"'],
      url: ['factura.created --url http://127.0.0.1:9/', '1 failed'],
      header: ['factura.created --header "X: 1"', '--header goes with --url'],
    },
  },
  link: {},
  verify: {},
  completion: { run: 'bash' },
  man: {},
  serve: {
    run: '--receiver-port 0 --ui-port 0 --data {fresh}',
    see: 'config get --data {fresh}',
    lives: true,
    options: {
      'receiver-port': '{port} → http://127.0.0.1:{port}/',
      'receiver-host': '127.0.0.2 → http://127.0.0.2:',
      'tls-cert': ['--ui-port 0 --data {fresh} --tls-cert x.pem', 'go together'],
      'tls-key': ['--ui-port 0 --data {fresh} --tls-key x.pem', 'go together'],
      'tls-generated': ' → Receiver  https://',
      'ui-port': '{port} → http://127.0.0.1:{port}/',
      'no-ui': ' → not served',
      'secret-header': 'X-Shown → X-Shown',
      sandbox: ['--receiver-port 0 --ui-port 0 --data {fresh} --sandbox --sandbox-port 0', 'API key'],
      'sandbox-port': [
        '--receiver-port 0 --ui-port 0 --data {fresh} --sandbox --sandbox-port {port}',
        ':{port} (API key',
      ],
      open: ['--receiver-port 0 --no-ui --data {fresh} --open', 'Give either --open or --no-ui'],
    },
  },
  sandbox: {
    run: '--port 0 --data {fresh}',
    lives: true,
    options: {
      port: '{port} → http://127.0.0.1:{port}',
      seed: ['--port 0 --data {fresh} --seed -1', 'whole number'],
    },
  },
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
      yes: [
        'retention.budgetBytes {budget} --yes',
        'retention.budgetBytes set',
        'retention.budgetBytes {budget}',
      ],
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
      all: ['--all', '--all goes with --reset'],
    },
  },
}
