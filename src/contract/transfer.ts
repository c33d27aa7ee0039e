import { z } from 'zod'
import {
  byId,
  count,
  defineCommand,
  defineReading,
  filter,
  id,
  instant,
  nothing,
  type Of,
  origin,
  refusal,
} from './params.ts'

/** Formats of an export. `session`: a file that Acuse opens; `raw`: a tar archive of requests; `fixture`: a test file for node:test. */
export const EXPORT_FORMATS = [
  'session',
  'ndjson',
  'csv',
  'har',
  'raw',
  'curl',
  'powershell',
  'postman',
  'fixture',
  'report',
] as const
/** Columns of an exported table, in their default order. */
export const EXPORT_COLUMNS = [
  ...(['id', 'receivedAt', 'endpoint', 'method', 'url', 'event', 'kind', 'group', 'timestamp'] as const),
  ...(['documentId', 'number', 'statusId', 'party', 'total', 'currency', 'verdict', 'findings'] as const),
  ...(['answer', 'tookUs', 'size', 'attempts', 'rejected', 'malformed', 'marks', 'tags', 'note'] as const),
  'remoteAddress',
] as const
/** Kinds of values that an export masks. */
export const MASK_KINDS = ['credential', 'personal'] as const
/** Formats of an import. `json`: a file with one JSON body. */
export const IMPORT_FORMATS = ['session', 'ndjson', 'har', 'raw', 'json'] as const

/** Which deliveries to export. */
const exportSource = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('filter'), filter }),
  z.strictObject({ type: z.literal('ids'), ids: z.array(id).min(1).max(100_000) }),
  /** The whole life of a document. */
  z.strictObject({ type: z.literal('document'), documentId: z.string().min(1).max(200) }),
  /** The deliveries that a replay job sent. */
  z.strictObject({ type: z.literal('job'), job: id }),
  /** The deliveries of the documents that a sweep returned. */
  z.strictObject({ type: z.literal('sweep'), sweep: id }),
])
export type ExportSource = Of<typeof exportSource>

const masking = {
  source: exportSource,
  /** Writes credentials. */
  reveal: z.boolean().exactOptional(),
  /** Writes personal data. */
  unmask: z.boolean().exactOptional(),
}

const openExport = z.strictObject({
  ...masking,
  format: z.enum(EXPORT_FORMATS),
  /** Bodies in a format where they are optional (`ndjson`). */
  bodies: z.boolean().exactOptional(),
  /** Columns of `csv`, in this order. */
  columns: z.array(z.enum(EXPORT_COLUMNS)).min(1).max(EXPORT_COLUMNS.length).exactOptional(),
  /** Origin to which commands and fixtures send; default: the host that each delivery names. */
  base: origin.exactOptional(),
})
export type OpenExport = Of<typeof openExport>
const previewExport = z.strictObject(masking)
export type PreviewExport = Of<typeof previewExport>

const maskedPlace = z.strictObject({
  kind: z.enum(MASK_KINDS),
  /** Where the values stand: `header Authorization`, `field CustomerName`, `e-mail address`. */
  place: z.string(),
  values: count,
})

const problem = z.strictObject({
  /** Where in the file: `line 12`, `entry 3`, the name of a file in it. */
  place: z.string(),
  reason: refusal,
})

const merged = z.strictObject({ taken: count, known: count, leftOut: count })
/** What a session file holds besides its deliveries. `leftOut`: their delivery was not imported, or they cannot be read. */
const sessionParts = z.strictObject({ attempts: merged, jobs: merged, sweeps: merged })
export type SessionParts = Of<typeof sessionParts>

const importState = z.strictObject({
  /** `receiving`: waits for the file's content. `failed`: the file as a whole cannot be read; what was imported until then stays. */
  state: z.enum(['receiving', 'reading', 'done', 'failed', 'cancelled']),
  /** Null until it is recognised. */
  format: z.enum(IMPORT_FORMATS).nullable(),
  imported: count,
  /** Deliveries that the store has already, with the same time and content. */
  duplicates: count,
  /** Records that are no deliveries. */
  bad: count,
  /** The first hundred of them. */
  problems: z.array(problem),
  /** Null for files of other formats. */
  session: sessionParts.nullable(),
  /** Why the import failed. */
  reason: refusal.nullable(),
  firstId: id.nullable(),
  lastId: id.nullable(),
})
export type ImportState = Of<typeof importState>

export const transferCommands = {
  'export.preview': defineReading(
    'How many deliveries an export would write, and what it would mask, by a look at the first of them.',
    previewExport,
    z.strictObject({ deliveries: count.nullable(), looked: count, masked: z.array(maskedPlace) }),
  ),
  'export.open': defineReading(
    'Begins an export. Read it to its end with `export.read`, or cancel it with `export.close`; it ends by itself when it is not read for a minute.',
    openExport,
    z.strictObject({
      id,
      /** A file name to suggest. */
      name: z.string(),
      mediaType: z.string(),
      /** Deliveries to write; null when a slow filter has to find them first. */
      deliveries: count.nullable(),
    }),
  ),
  'export.read': defineReading(
    'The next bytes of an export, which may be none; `done` at its end, which also closes it.',
    byId,
    z.strictObject({ bytesBase64: z.string(), done: z.boolean(), written: count }),
  ),
  'export.close': defineReading('Ends an export before its end.', byId, nothing),
  'import.open': defineCommand(
    'Begins an import of one file. Its content follows with `import.write`, then `import.run` reads it.',
    z.strictObject({
      /** Name of the file; its extension is a hint. */
      name: z.string().max(1_000),
      /** When the file was changed, milliseconds since the epoch: the time of deliveries that state none. */
      modifiedAt: instant.exactOptional(),
      /** Endpoint of deliveries that state none; default: `default`. */
      endpoint: z.string().min(1).max(60).exactOptional(),
    }),
    z.strictObject({ id }),
  ),
  'import.write': defineCommand(
    'The next bytes of the file.',
    z.strictObject({ id, bytesBase64: z.base64().max(24_000_000) }),
    z.strictObject({ received: count }),
  ),
  'import.run': defineCommand(
    'Reads the file. Returns at once; `import.get` tells how far it is.',
    byId,
    importState,
  ),
  'import.get': defineCommand('How an import stands.', byId, importState),
  'import.close': defineCommand(
    'Forgets an import; cancels a running one. Deliveries already imported stay.',
    byId,
    importState,
  ),
  'store.backup': defineCommand(
    'Copies everything stored into an empty or new folder, while Acuse runs, and checks the copy. Open it with --data.',
    z.strictObject({
      /** An absolute path on the machine of the host. */
      folder: z
        .string()
        .max(4_000)
        .regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\0]*$/, 'give the absolute path of a folder'),
    }),
    z.strictObject({ folder: z.string(), deliveries: count, bytes: count }),
  ),
}
export type TransferCommandName = keyof typeof transferCommands
export const TRANSFERS = Object.keys(transferCommands) as readonly TransferCommandName[]
