import { z } from 'zod'
import { PLUGIN_EVENT_TYPES } from '#catalog/service.ts'
import { givenConnection } from './connection.ts'
import { deliveryRow } from './delivery.ts'
import { byId, count, defineCommand, endpointName, id, limit, type Of } from './params.ts'
import * as reconcile from './reconcile.ts'

const key = z.string().min(1).max(300)
const text = z.string().max(500).exactOptional()
/** Which documents of a reconciliation: by their rows' keys, or all of some classes that hold a text, as `reconciliation.rows` selects. */
const documentSelection = z.union([
  z.strictObject({ documents: z.array(key).min(1).max(100_000) }),
  z.strictObject({ classes: reconcile.classes, text }),
])
export type DocumentSelection = Of<typeof documentSelection>

const annotation = z.string().max(10_000).nullable().exactOptional()
const sweepCommand = (about: string) => defineCommand({ about, params: byId, result: reconcile.sweep })

export type ReconcileCommandName = keyof typeof reconcileCommands

export const reconcileCommands = {
  'connections.test': defineCommand({
    about: 'Asks the service for one item and says what it answered; its refusal is a result, not an error.',
    /** `as`: how the connection would be saved; it is asked so, and nothing is stored. */
    params: z.strictObject({
      name: endpointName,
      route: reconcile.route,
      as: givenConnection.exactOptional(),
    }),
    result: reconcile.connectionTest,
  }),
  'sweeps.start': defineCommand({
    about:
      'Starts a sweep. `conflict` while another of the connection runs; `bad-params` for a range that cannot be, before anything is sent. With route `both` the result is the sweep of accounting; that of treasury follows by itself.',
    params: z.strictObject({ connection: endpointName, range: reconcile.sweepRequest }),
    result: reconcile.sweep,
  }),
  'sweeps.list': defineCommand({
    about: 'Sweeps, newest first.',
    params: z.strictObject({ connection: endpointName.exactOptional() }),
    result: z.strictObject({ sweeps: z.array(reconcile.sweep) }),
  }),
  'sweeps.get': sweepCommand('One sweep.'),
  'sweeps.pause': sweepCommand('Pauses a sweep.'),
  'sweeps.resume': sweepCommand('Goes on from the stored cursor, after a restart too.'),
  'sweeps.cancel': sweepCommand('Cancels a sweep.'),
  'sweeps.remove': defineCommand({
    about: 'Forgets a sweep and its items.',
    params: byId,
    result: z.strictObject({ removed: count }),
  }),
  'sweeps.compare': defineCommand({
    about:
      'What changed between two sweeps, each compared with what was captured by its own end. `bad-params` where they are not of one connection and route, `conflict` while one of them runs.',
    params: z.strictObject({ a: id, b: id }),
    result: reconcile.sweepComparison,
  }),
  'reconciliation.summary': defineCommand({
    about: 'Compares the sweep with the deliveries captured by now.',
    params: z.strictObject({ sweep: id }),
    result: reconcile.summary,
  }),
  'reconciliation.rows': defineCommand({
    about:
      'Documents in order of issue date, recovered ones last; positions count within what classes and text select. Text is looked for in document id, number, party and note, ignoring case.',
    params: z.strictObject({
      sweep: id,
      classes: reconcile.classes.exactOptional(),
      text,
      from: count,
      limit,
    }),
    result: z.strictObject({ rows: z.array(reconcile.documentRow), from: count, total: count }),
  }),
  'reconciliation.document': defineCommand({
    about: 'One document in full, both sides.',
    params: z.strictObject({ sweep: id, key }),
    result: reconcile.documentComparison,
  }),
  'reconciliation.report': defineCommand({
    about:
      'Compares and writes the report, with the evidence of each document other than matched: up to a minute for very many of them.',
    params: reconcile.reportParams,
    result: reconcile.reportFile,
  }),
  'reconciliation.annotate': defineCommand({
    about:
      'Notes and reasons to ignore belong to the document and hold for later sweeps of the connection; null takes them back.',
    params: z.strictObject({
      connection: endpointName,
      keys: z.array(key).min(1).max(10_000),
      note: annotation,
      ignored: annotation,
    }),
    result: z.strictObject({ changed: count }),
  }),
  'recovery.rebuild': defineCommand({
    about:
      'Makes missed events again and stores them as synthetic deliveries; with `dryRun` only counts them.',
    params: z.strictObject({ sweep: id, select: documentSelection, dryRun: z.boolean().exactOptional() }),
    result: reconcile.recovery,
  }),
  'recovery.deliveries': defineCommand({
    about: 'Synthetic deliveries of one rebuilding, to be replayed as a job.',
    params: z.strictObject({ sweep: id, after: count, limit }),
    result: z.strictObject({ rows: z.array(deliveryRow) }),
  }),
  'plugins.publish': defineCommand({
    about:
      "Publishes one of the three plugin events; the service's answer is a result, not an error. `data` is the JSON text of an object, sent with its very characters; absent: no data.",
    params: z.strictObject({
      connection: endpointName,
      eventType: z.enum(PLUGIN_EVENT_TYPES),
      data: z.string().max(26_214_400).exactOptional(),
    }),
    result: reconcile.publishAnswer,
  }),
}
