import { z } from 'zod'
import { PLUGIN_EVENT_TYPES } from '#catalog/service.ts'
import { givenConnection } from './connection.ts'
import { deliveryRow } from './delivery.ts'
import { byId, count, defineCommand, defineReading, endpointName, id, limit, type Of } from './params.ts'
import * as reconcile from './reconcile.ts'

const key = z.string().min(1).max(300)
const text = z.string().max(500).exactOptional()
/** Selects documents of a reconciliation: by key, or by class and text as `reconciliation.rows` does. */
const documentSelection = z.union([
  z.strictObject({ documents: z.array(key).min(1).max(100_000) }),
  z.strictObject({ classes: reconcile.classes, text }),
])
export type DocumentSelection = Of<typeof documentSelection>

const annotation = z.string().max(10_000).nullable().exactOptional()
const sweepCommand = (about: string) => defineCommand(about, byId, reconcile.sweep)

export type ReconcileCommandName = keyof typeof reconcileCommands

export const reconcileCommands = {
  'connections.test': defineCommand(
    'Requests one item from the service and returns its answer; a refusal is a result, not an error.',
    /** `as`: tests unsaved settings of the connection; nothing is stored. */
    z.strictObject({
      name: endpointName,
      route: reconcile.route,
      as: givenConnection.exactOptional(),
    }),
    reconcile.connectionTest,
  ),
  'sweeps.start': defineCommand(
    'Starts a sweep. `conflict` while another of the connection runs; `bad-params` for a range that cannot be, before anything is sent. With route `both` the result is the sweep of accounting; that of treasury follows by itself.',
    z.strictObject({ connection: endpointName, range: reconcile.sweepRequest }),
    reconcile.sweep,
  ),
  'sweeps.list': defineReading(
    'Sweeps, newest first.',
    z.strictObject({ connection: endpointName.exactOptional() }),
    z.strictObject({ sweeps: z.array(reconcile.sweep) }),
  ),
  'sweeps.get': defineReading('One sweep.', byId, reconcile.sweep),
  'sweeps.pause': sweepCommand('Pauses a sweep.'),
  'sweeps.resume': sweepCommand('Goes on from the stored cursor, after a restart too.'),
  'sweeps.cancel': sweepCommand('Cancels a sweep.'),
  'sweeps.remove': defineCommand('Removes a sweep and its items.', byId, z.strictObject({ removed: count })),
  'sweeps.compare': defineReading(
    'What changed between two sweeps, each compared with what was captured by its own end. `bad-params` where they are not of one connection and route, `conflict` while one of them runs.',
    z.strictObject({ a: id, b: id }),
    reconcile.sweepComparison,
  ),
  'reconciliation.summary': defineReading(
    'Compares the sweep with the deliveries captured by now.',
    z.strictObject({ sweep: id }),
    reconcile.summary,
  ),
  'reconciliation.rows': defineReading(
    'Documents in order of issue date, recovered ones last; positions count within what classes and text select. Text is looked for in document id, number, party and note, ignoring case; a day such as 2026-10-05 also selects what was issued on it, in the zone of the connection.',
    z.strictObject({
      sweep: id,
      classes: reconcile.classes.exactOptional(),
      text,
      from: count,
      limit,
    }),
    z.strictObject({ rows: z.array(reconcile.documentRow), from: count, total: count }),
  ),
  'reconciliation.document': defineReading(
    'One document in full, both sides.',
    z.strictObject({ sweep: id, key }),
    reconcile.documentComparison,
  ),
  'reconciliation.report': defineReading(
    'Compares and writes the report, with the evidence of each document other than matched: up to a minute for very many of them.',
    reconcile.reportParams,
    reconcile.reportFile,
  ),
  'reconciliation.annotate': defineCommand(
    'Notes and reasons to ignore belong to the document and hold for later sweeps of the connection; null takes them back.',
    z.strictObject({
      connection: endpointName,
      keys: z.array(key).min(1).max(10_000),
      note: annotation,
      ignored: annotation,
    }),
    z.strictObject({ changed: count }),
  ),
  'recovery.rebuild': defineCommand(
    'Rebuilds missed events and stores them as synthetic deliveries; with `dryRun` only counts them.',
    z.strictObject({ sweep: id, select: documentSelection, dryRun: z.boolean().exactOptional() }),
    reconcile.recovery,
  ),
  'recovery.deliveries': defineReading(
    'Synthetic deliveries of one rebuilding, to be replayed as a job.',
    z.strictObject({ sweep: id, after: count, limit }),
    z.strictObject({ rows: z.array(deliveryRow) }),
  ),
  'plugins.publish': defineCommand(
    "Publishes one of the three plugin events; the service's answer is a result, not an error. `data` is the JSON text of an object, sent with its very characters; absent: no data.",
    z.strictObject({
      connection: endpointName,
      eventType: z.enum(PLUGIN_EVENT_TYPES),
      data: z.string().max(26_214_400).exactOptional(),
    }),
    reconcile.publishAnswer,
  ),
}
