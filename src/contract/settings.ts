import { z } from 'zod'
import { alert } from './alerts.ts'
import { connection, givenConnection } from './connection.ts'
import { deliveryRow } from './delivery.ts'
import {
  count,
  defineCommand,
  defineReading,
  endpointName,
  filter,
  headerName,
  headerValue,
  httpUrl,
  nothing,
  type Of,
  partial,
  receiverTls,
} from './params.ts'
import { schedule, scheduleState } from './schedule.ts'
import { target } from './target.ts'
import { FILTER_NAME, OVER_BUDGET } from './values.ts'

const answer = z.strictObject({
  status: z.int().min(200).max(599),
  headers: z.array(z.tuple([headerName, headerValue])).max(1_000),
  body: z.string().max(1_048_576),
  /** Milliseconds to wait before answering; storing never waits. */
  delayMs: z.int().min(0).max(600_000),
})
export type Answer = Of<typeof answer>

/** The header that authenticates deliveries. Its values are only in the secret store (Authentication, rule 1). */
const secretHeader = z.strictObject({
  header: headerName,
  /** Number of accepted values: 1, or 2 during a rotation. */
  values: z.union([z.literal(1), z.literal(2)]),
})

/** A named path of the receiver. The default endpoint has the path "/" and takes requests that match no other. */
const endpointMembers = {
  /** Unique name. Deliveries keep the name under which they arrived. */
  name: endpointName,
  /** Case-sensitive prefix of the raw request path, in whole segments; the longest match wins. */
  path: z
    .string()
    .max(2_000)
    .regex(/^\/[\x21-\x22\x24-\x3e\x40-\x7e]*$/, 'start with "/", no spaces, "?" or "#"'),
  /** A disabled endpoint still stores deliveries, but answers 404. */
  enabled: z.boolean(),
  answer,
}
export const endpoint = z.strictObject({ ...endpointMembers, secret: secretHeader.nullable() })
export type Endpoint = Of<typeof endpoint>
const endpointParams = z.strictObject({
  ...endpointMembers,
  /** The old name, when renaming; absent for a new endpoint. */
  previousName: endpointName.exactOptional(),
})
export type EndpointParams = Of<typeof endpointParams>

/** Source of the receiver's certificate: the user's PEM files (absolute paths), or a certificate that Acuse generates and renews. */
export type ReceiverTls = Of<typeof receiverTls>

const filterName = z
  .string()
  .max(60)
  .regex(FILTER_NAME, 'use 1 to 60 letters, digits, spaces, ".", "_" and "-"')
/** A named filter, for the window's menu and for `--filter @name`. */
export const savedFilter = z.strictObject({
  name: filterName,
  filter: filter.min(1),
  /** Notify the user of matching deliveries as they arrive; default: false. */
  notify: z.boolean().exactOptional(),
})
export type SavedFilter = Of<typeof savedFilter>

/** Deliveries that a saved filter notifies about. A notification shows no more of a delivery than this. */
export const filterMatches = z.strictObject({
  name: z.string(),
  /** The latest match. */
  delivery: deliveryRow.pick({ id: true, kind: true, number: true, verdict: true }),
  /** Number of other matches since this filter's last notification. */
  more: count,
})
export type FilterMatches = Of<typeof filterMatches>

const receiver = {
  host: z.string().min(1).max(255),
  port: z.int().min(0).max(65_535),
  /** A body longer than this many bytes is truncated to its beginning, marked `too-large` and answered 413. */
  bodyLimit: z.int().min(1_024).max(1_073_741_824),
  /** Maximum open connections, in all and per address; all connections through a proxy or tunnel have one address. */
  maxConnections: z.int().min(10).max(50_000),
  maxConnectionsPerAddress: z.int().min(1).max(50_000),
  /** Null: plain HTTP. */
  tls: receiverTls.nullable(),
  /** The address configured at the service, when it is not the receiver's own; null when unknown. */
  publicUrl: httpUrl.nullable(),
}
/** Bytes on disk; the minimum has room for one large delivery. */
const quota = z.int().min(10_000_000)
const ring = z.int().min(100)
const retention = {
  /** Maximum bytes on disk for the store. */
  budgetBytes: quota,
  overBudget: z.enum(OVER_BUDGET),
  /** Limits for rejected and malformed deliveries: only the newest are kept, up to this number and these bytes. */
  rejectedDeliveries: ring,
  rejectedBytes: quota,
  malformedDeliveries: ring,
  malformedBytes: quota,
}
const maskedName = z
  .string()
  .max(100)
  .regex(
    /^!?[^\s!,:=&]*[\p{L}\p{N}][^\s!,:=&]*$/u,
    'give a name such as X-Hook-Code, with * for any characters, or !name to show it',
  )
const masking = {
  /** Headers and parameters to mask besides those of core/masking.ts and the secret headers; `!name` exempts one of that list. */
  names: z.array(maskedName).max(200),
}
const telemetry = {
  /** Address of an OTLP/HTTP collector that gets a span per delivery and per attempt; null: none. */
  endpoint: httpUrl.nullable(),
  serviceName: z.string().min(1).max(100),
}
/** Who can change the feed's answers can replace the app. */
const feed = httpUrl.refine(
  (url) => /^https:|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/.test(url),
  'use https, except on this computer',
)
const desktop = {
  /** Address of the feed of new versions; null: Acuse asks for none. */
  updateFeed: feed.nullable(),
  /** Ask the feed once a day, instead of only on request. */
  updateDaily: z.boolean(),
  /** Keep receiving, in the tray, after the last window is closed. Null: only on macOS. */
  keepReceiving: z.boolean().nullable(),
}
const appearance = {
  theme: z.enum(['system', 'light', 'dark']),
  language: z.enum(['system', 'en', 'es']),
}

export const settings = z.strictObject({
  receiver: z.strictObject(receiver),
  endpoints: z.array(endpoint),
  /** Lower-case names of headers that once carried a secret, whose values stay masked. Absent: none. */
  formerSecretHeaders: z.array(z.string()).exactOptional(),
  targets: z.array(target),
  /** Name of the target used last; null when there is none. */
  defaultTarget: z.string().nullable(),
  /** Accounts of the service to reconcile with. */
  connections: z.array(connection),
  schedules: z.array(schedule),
  alerts: z.array(alert),
  savedFilters: z.array(savedFilter),
  masking: z.strictObject(masking),
  retention: z.strictObject(retention),
  telemetry: z.strictObject(telemetry),
  desktop: z.strictObject(desktop),
  appearance: z.strictObject(appearance),
})
export type Settings = Of<typeof settings>

const byName = z.strictObject({ name: endpointName })
const byConnection = z.strictObject({ connection: endpointName })
const change = <P extends z.ZodType>(about: string, params: P) => defineCommand(about, params, settings)

export const settingsCommands = {
  'settings.get': defineReading('All settings; secrets are not among them.', nothing, settings),
  'settings.update': change(
    'Changes what is named; endpoints, targets, connections, filters, schedules and alerts have commands of their own.',
    z.strictObject({
      receiver: z.strictObject(partial(receiver)).exactOptional(),
      masking: z.strictObject(partial(masking)).exactOptional(),
      retention: z.strictObject(partial(retention)).exactOptional(),
      telemetry: z.strictObject(partial(telemetry)).exactOptional(),
      desktop: z.strictObject(partial(desktop)).exactOptional(),
      appearance: z.strictObject(partial(appearance)).exactOptional(),
    }),
  ),
  'endpoints.save': change(
    'Adds an endpoint, or changes the one of that name, or of `previousName`.',
    endpointParams,
  ),
  'endpoints.remove': change('Removes an endpoint; its deliveries stay.', byName),
  'endpoints.set-secret': change(
    'Sets the accepted value; with `keepPrevious` the current one stays accepted too (rotation).',
    z.strictObject({
      name: endpointName,
      header: headerName,
      value: headerValue.min(1),
      keepPrevious: z.boolean(),
    }),
  ),
  'endpoints.clear-secret': change(
    '`previous` ends a rotation; `all` removes the header check.',
    z.strictObject({ name: endpointName, which: z.enum(['previous', 'all']) }),
  ),
  'filters.save': change(
    'Keeps a filter under a name; one of that name, or of `previousName`, is replaced. Without `notify` it keeps that of the replaced filter. `conflict` when another filter has the new name.',
    savedFilter.extend({ previousName: filterName.exactOptional() }),
  ),
  'filters.remove': change('Removes a saved filter.', z.strictObject({ name: filterName })),
  'targets.save': change(
    'Adds a target, or changes the one of that name, or of `previousName`. A secret header with the value null keeps its present one.',
    target.extend({ previousName: endpointName.exactOptional() }),
  ),
  'targets.remove': change(
    'Removes a target. `conflict` while a forward or an unfinished job uses it.',
    byName,
  ),
  'targets.set-default': change(
    'Remembers the target that a replay offers first; null for none.',
    z.strictObject({ name: endpointName.nullable() }),
  ),
  'connections.save': change(
    'Adds a connection, or changes the one of that name, or of `previousName`. Credentials: absent keeps the current one, null deletes it, a text goes to the secret store.',
    givenConnection,
  ),
  'connections.remove': change('Removes a connection. `conflict` while a sweep of it runs.', byName),
  'schedules.save': change(
    "Makes the connection's schedule, or takes the place of the one it has.",
    schedule,
  ),
  'schedules.remove': change(
    'Removes a schedule; its findings stay. `conflict` while a run is under way.',
    byConnection,
  ),
  'alerts.save': change(
    'Adds an alert, or changes the one of that name, or of `previousName`. Disabling it ends its incidents without a message.',
    alert.extend({ previousName: endpointName.exactOptional() }),
  ),
  'alerts.remove': change('Removes an alert and its incidents.', byName),
  'schedules.list': defineReading(
    'Schedules and their last runs, in the order of the connections.',
    nothing,
    z.strictObject({ schedules: z.array(scheduleState) }),
  ),
  'schedules.run-now': defineCommand(
    'Begins a run at once, also of one that is off; `conflict` while a run or a sweep of the connection is under way.',
    byConnection,
    scheduleState,
  ),
}
