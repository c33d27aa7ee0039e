import { z } from 'zod'
import type { PluginEventType } from '#catalog/service.ts'
import type { DeliveryRow } from './delivery.ts'
import { endpointName, headerName, headerValue, httpUrl } from './params.ts'
import {
  CLASSES,
  type Connection,
  type ConnectionTest,
  DOCUMENT_GROUPS,
  type DocumentClass,
  type DocumentComparison,
  type DocumentRow,
  MOST_DOCUMENT_TYPES,
  type PublishAnswer,
  type ReconciliationSummary,
  type Recovery,
  ROUTE_CHOICES,
  type Sweep,
  type SweepRequest,
  SYNC_ROUTES,
  type SyncRoute,
} from './reconcile.ts'
import { REPORT_FORMATS, REPORT_LANGUAGES, type ReportFile, type ReportParams } from './reconcile-report.ts'
import type { Settings } from './settings.ts'
import type { SweepComparison } from './sweep-comparison.ts'

type ById = { readonly id: number }

/** Which documents of a reconciliation: by their rows' keys, or all of some classes. */
export type DocumentSelection =
  | { readonly documents: readonly string[] }
  | { readonly classes: readonly DocumentClass[] }

export interface ReconcileCommands {
  /** Credentials: absent keeps the present one, null forgets it, a text is stored in the secret store. */
  'connections.save': {
    params: {
      readonly previousName?: string
      readonly apiKey?: string | null
      readonly pluginToken?: string | null
    } & Omit<Connection, 'apiKey' | 'pluginToken'>
    result: Settings
  }
  /** `conflict` while a sweep of it runs. */
  'connections.remove': { params: { readonly name: string }; result: Settings }
  /** Asks for one item and says what came; a refusal of the service is a result, not an error. */
  'connections.test': {
    params: { readonly name: string; readonly route: SyncRoute }
    result: ConnectionTest
  }
  /**
   * `conflict` while another sweep of the connection runs; `bad-params` for a range that cannot be, before anything is sent. With route
   * `both` the result is the sweep of accounting; that of treasury follows by itself once it has come to its end.
   */
  'sweeps.start': { params: { readonly connection: string; readonly range: SweepRequest }; result: Sweep }
  /** Newest first. */
  'sweeps.list': { params: { readonly connection?: string }; result: { readonly sweeps: readonly Sweep[] } }
  'sweeps.get': { params: ById; result: Sweep }
  'sweeps.pause': { params: ById; result: Sweep }
  /** Goes on from the stored cursor, after a restart too. */
  'sweeps.resume': { params: ById; result: Sweep }
  'sweeps.cancel': { params: ById; result: Sweep }
  'sweeps.remove': { params: ById; result: { readonly removed: number } }
  /**
   * What changed from sweep `a` to sweep `b`, whichever of them is the earlier: each is compared with what was captured by its own end.
   * `bad-params` where they are not of one connection and route, `conflict` while one of them runs.
   */
  'sweeps.compare': { params: { readonly a: number; readonly b: number }; result: SweepComparison }
  /** Compares the sweep with what is captured by now. */
  'reconciliation.summary': { params: { readonly sweep: number }; result: ReconciliationSummary }
  /** In order of issue date; positions count within what classes and text select. */
  'reconciliation.rows': {
    params: {
      readonly sweep: number
      readonly classes?: readonly DocumentClass[]
      /** In document id, number, party or note; ignoring case. */
      readonly text?: string
      readonly from: number
      readonly limit: number
    }
    result: { readonly rows: readonly DocumentRow[]; readonly from: number; readonly total: number }
  }
  'reconciliation.document': {
    params: { readonly sweep: number; readonly key: string }
    result: DocumentComparison
  }
  /** Compares and writes down what came of it, with the evidence of each document other than matched: up to a minute for very many of them. */
  'reconciliation.report': { params: ReportParams; result: ReportFile }
  /** A note and "ignored because …" belong to the document and hold for later sweeps of the connection; null takes them back. */
  'reconciliation.annotate': {
    params: {
      readonly connection: string
      readonly keys: readonly string[]
      readonly note?: string | null
      readonly ignored?: string | null
    }
    result: { readonly changed: number }
  }
  /** Makes the missed events again; with `dryRun` only says what would come of it. They are stored as synthetic deliveries. */
  'recovery.rebuild': {
    params: { readonly sweep: number; readonly select: DocumentSelection; readonly dryRun?: boolean }
    result: Recovery
  }
  /** Synthetic deliveries of one rebuilding, to be replayed as a job. */
  'recovery.deliveries': {
    params: { readonly sweep: number; readonly after: number; readonly limit: number }
    result: { readonly rows: readonly DeliveryRow[] }
  }
  /** Publishes one of the three plugin events; what the service answers is a result, not an error. */
  'plugins.publish': {
    params: {
      readonly connection: string
      readonly eventType: PluginEventType
      /** JSON text of an object, sent with its very characters; absent: no data. */
      readonly data?: string
    }
    result: PublishAnswer
  }
}
export type ReconcileCommandName = keyof ReconcileCommands

const id = z.int().positive()
const byId = z.strictObject({ id })
const milliseconds = z.int().min(1).max(3_600_000)
const classes = z.array(z.enum(CLASSES)).min(1).max(CLASSES.length)
const key = z.string().min(1).max(300)
const pointer = z
  .string()
  .max(500)
  .regex(/^(?:\/[^/]*)+$/, 'start with "/"')
  .nullable()
const dateTime = z.string().max(60)
const zone = z.string().max(100).refine(isZone, 'not a time zone; give one such as America/Santo_Domingo')

/** Whether this is an IANA time zone that the system knows. */
function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const RECONCILE_PARAMS: { readonly [C in ReconcileCommandName]: z.ZodType<unknown> } = {
  'connections.save': z.strictObject({
    previousName: endpointName.optional(),
    apiKey: headerValue.min(1).nullable().optional(),
    pluginToken: headerValue.min(1).nullable().optional(),
    name: endpointName,
    endpoints: z.array(endpointName).max(1_000),
    // Which kinds there are is the catalogue's to say; the handler refuses others.
    kinds: z.array(z.string().max(60)).max(100).nullable(),
    zone,
    baseUrl: httpUrl,
    pluginHeader: z.strictObject({
      name: headerName,
      scheme: z
        .string()
        .max(40)
        .regex(/^[\x21-\x7e]*$/, 'not a scheme; use one word such as Bearer, or none'),
    }),
    timeouts: z.strictObject({ connectMs: milliseconds, answerMs: milliseconds, totalMs: milliseconds }),
    proxy: z.union(
      [z.enum(['environment', 'none']), httpUrl],
      'give "environment", "none", or an http:// or https:// address without user and password',
    ),
    acceptAnyCertificate: z.boolean(),
    mapping: z
      .strictObject({
        documentId: pointer.optional(),
        number: pointer.optional(),
        issuedAt: pointer.optional(),
        documentType: pointer.optional(),
        status: pointer.optional(),
        voided: pointer.optional(),
        // The root pointer: its fields stand flat on the item.
        accounting: z.union([pointer, z.literal('')]).optional(),
      })
      .nullable(),
    documentTypes: z
      .array(z.strictObject({ id: z.int().nonnegative(), group: z.enum(DOCUMENT_GROUPS) }))
      .max(MOST_DOCUMENT_TYPES)
      .refine(
        (types) => new Set(types.map(({ id: type }) => type)).size === types.length,
        'names a document type twice; give each once',
      ),
    documentTypesComplete: z.boolean(),
    notYetDue: z.strictObject({
      issuedHours: z.number().min(0).max(8_760),
      returnedMinutes: z.number().min(0).max(525_600),
    }),
    ignoredFields: z.array(z.string().min(1).max(200)).max(100),
  }),
  'connections.remove': z.strictObject({ name: endpointName }),
  'connections.test': z.strictObject({ name: endpointName, route: z.enum(SYNC_ROUTES) }),
  'sweeps.start': z.strictObject({
    connection: endpointName,
    range: z.strictObject({
      route: z.enum(ROUTE_CHOICES),
      from: dateTime.nullable(),
      to: dateTime.nullable(),
      documentTypeId: z.int().nonnegative().nullable(),
      pageSize: z.int().positive(),
    }),
  }),
  'sweeps.list': z.strictObject({ connection: endpointName.optional() }),
  'sweeps.get': byId,
  'sweeps.pause': byId,
  'sweeps.resume': byId,
  'sweeps.cancel': byId,
  'sweeps.remove': byId,
  'sweeps.compare': z.strictObject({ a: id, b: id }),
  'reconciliation.summary': z.strictObject({ sweep: id }),
  'reconciliation.rows': z.strictObject({
    sweep: id,
    classes: classes.optional(),
    text: z.string().max(500).optional(),
    from: z.int().nonnegative(),
    limit: z.int().min(1).max(1_000),
  }),
  'reconciliation.document': z.strictObject({ sweep: id, key }),
  'reconciliation.report': z.strictObject({
    sweep: id,
    format: z.enum(REPORT_FORMATS),
    language: z.enum(REPORT_LANGUAGES),
    unmask: z.boolean().optional(),
  }),
  'reconciliation.annotate': z.strictObject({
    connection: endpointName,
    keys: z.array(key).min(1).max(10_000),
    note: z.string().max(10_000).nullable().optional(),
    ignored: z.string().max(10_000).nullable().optional(),
  }),
  'recovery.rebuild': z.strictObject({
    sweep: id,
    select: z.union([
      z.strictObject({ documents: z.array(key).min(1).max(100_000) }),
      z.strictObject({ classes }),
    ]),
    dryRun: z.boolean().optional(),
  }),
  'recovery.deliveries': z.strictObject({
    sweep: id,
    after: z.int().nonnegative(),
    limit: z.int().min(1).max(1_000),
  }),
  'plugins.publish': z.strictObject({
    connection: endpointName,
    eventType: z.string().max(100),
    data: z.string().max(26_214_400).optional(),
  }),
}
