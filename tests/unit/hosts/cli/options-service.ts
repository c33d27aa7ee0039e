import type { Row } from './options-table.ts'

const DAYS = '--from 2020-01-01 --to 2030-01-01'
const RECONCILE = `--base-url {sandbox} ${DAYS}`
const REPORT = `${RECONCILE} --report {folder}/r.md`
const plugin = (run: string): Row => ({
  run: `${run} --json`,
  options: {
    name: '"Named plugin" → "name":"Named plugin"',
    url: 'http://127.0.0.1:9/p1 → "url":"http://127.0.0.1:9/p1"',
    'no-url': [`${run} --no-url --json`, '"url":null', `${run} --url http://127.0.0.1:9/p2 --json`],
    'event-types': 'cobro.registrado → "eventTypes":["cobro.registrado"]',
    active: [`${run} --active --inactive`, 'Give either'],
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

/** Commands that talk to an account or to the sandbox, with what shows the effect of each of their options. */
export const SERVICE: Readonly<Record<string, Row>> = {
  'connections set': {
    run: '{name} --base-url http://127.0.0.1:9',
    see: 'connections list --json',
    options: {
      'base-url': ['{name} --base-url http://127.0.0.1:10', '"baseUrl":"http://127.0.0.1:10"'],
      rename: ['{connection} --rename renamed', '"name":"renamed"'],
      'api-key-env': 'GONE → environment has no GONE',
      'api-key-stdin': ' → empty',
      'forget-api-key': [' {connection} --api-key-env TOKEN --forget-api-key', 'Give either'],
      'plugin-token-env': 'TOKEN → "pluginToken":"stored"',
      'plugin-token-stdin': ' → empty',
      'forget-plugin-token': ['{connection} --plugin-token-env TOKEN --forget-plugin-token', 'Give either'],
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
      active: ['http://127.0.0.1:9/ --active --inactive', 'Give either'],
    },
  },
  'sandbox subscriptions set': {
    run: '{subscription} --name Otra --json',
    options: {
      ...subscription,
      url: 'http://127.0.0.1:9/set → "url":"http://127.0.0.1:9/set"',
      'remove-header': 'X-Gone → X-Gone',
      active: ['{subscription} --active --inactive', 'Give either'],
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
      from: ['--from {accepted} --url {hook}', 'dgii.aprobado'],
      header: ['factura.created --header "X: 1"', '--header needs --url'],
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
}
