import type { Alert, Hours } from './alerts.ts'
import type { Connection } from './connection.ts'
import type { JobOptions } from './replay.ts'
import type { Schedule } from './schedule.ts'
import type { Answer, Endpoint, Settings } from './settings.ts'
import type { Target, Timeouts } from './target.ts'

export const DEFAULT_ANSWER: Answer = { status: 200, headers: [], body: '', delayMs: 0 }
export const DEFAULT_ENDPOINT: Endpoint = {
  name: 'default',
  path: '/',
  enabled: true,
  answer: DEFAULT_ANSWER,
  secret: null,
}
export const DEFAULT_SETTINGS: Settings = {
  receiver: {
    host: '127.0.0.1',
    port: 4400,
    bodyLimit: 100 * 1024 * 1024,
    maxConnections: 2_000,
    maxConnectionsPerAddress: 1_500,
    tls: null,
    publicUrl: null,
  },
  endpoints: [DEFAULT_ENDPOINT],
  targets: [],
  defaultTarget: null,
  connections: [],
  schedules: [],
  alerts: [],
  savedFilters: [],
  masking: { names: [] },
  retention: {
    budgetBytes: 5_000_000_000,
    overBudget: 'warn',
    rejectedDeliveries: 10_000,
    rejectedBytes: 256_000_000,
    malformedDeliveries: 10_000,
    malformedBytes: 256_000_000,
  },
  telemetry: { endpoint: null, serviceName: 'acuse' },
  desktop: { keepReceiving: null, updateFeed: null, updateDaily: false },
  appearance: { theme: 'system', language: 'system' },
}
export const DEFAULT_TIMEOUTS: Timeouts = { connectMs: 10_000, answerMs: 30_000, totalMs: 120_000 }
export const DEFAULT_TARGET: Omit<Target, 'name' | 'url'> = {
  method: null,
  path: 'target',
  query: 'append',
  headers: [],
  remove: [],
  timeouts: DEFAULT_TIMEOUTS,
  acceptAnyCertificate: false,
  keepSecret: false,
  keepCredentials: false,
  markReplays: true,
}
export const DEFAULT_JOB_OPTIONS: Omit<JobOptions, 'to'> = {
  order: 'arrival',
  concurrency: 1,
  ratePerSecond: null,
  gaps: null,
  stopAfterFailures: null,
  retry: { times: 0, delayMs: 1_000 },
  failures: ['1xx', '3xx', '4xx', '5xx'],
  include: [],
}
export const DEFAULT_CONNECTION: Omit<Connection, 'name' | 'baseUrl'> = {
  endpoints: [],
  kinds: null,
  zone: 'America/Santo_Domingo',
  apiKey: 'none',
  pluginToken: 'none',
  pluginHeader: { name: 'Authorization', scheme: 'Bearer' },
  timeouts: { connectMs: 10_000, answerMs: 60_000, totalMs: 300_000 },
  proxy: 'environment',
  acceptAnyCertificate: false,
  mapping: null,
  documentTypes: [],
  documentTypesComplete: false,
  notYetDue: { issuedHours: 24, returnedMinutes: 10 },
  ignoredFields: ['AmountDue'],
}
/** The overlap equals the 24 hours after its issue date in which a document can be "not yet due". */
export const DEFAULT_SCHEDULE: Omit<Schedule, 'connection'> = {
  enabled: true,
  time: { every: 60 },
  route: 'accounting',
  overlapMinutes: 1_440,
  lookBackDays: 7,
  notify: true,
  recoverTo: null,
}
export const DEFAULT_ALERT: Omit<Alert, 'name' | 'cause'> = {
  enabled: true,
  filter: '',
  minutes: 15,
  hours: null,
  target: null,
  program: null,
}
export const DEFAULT_HOURS: Hours = {
  from: '08:00',
  to: '18:00',
  weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'],
  zone: 'America/Santo_Domingo',
}
