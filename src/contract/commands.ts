import { z } from 'zod'
import { ANNOTATION_PARAMS, type AnnotationCommands } from './annotation-commands.ts'
import type { Capabilities } from './capabilities.ts'
import { CONNECT_PARAMS, type ConnectCommands } from './connect-commands.ts'
import { COPY_PARAMS, type CopyCommands } from './copy-commands.ts'
import type { BodySlice, DeliveryDetail, DeliveryRow, Verdict } from './delivery.ts'
import { DOCUMENT_PARAMS, type DocumentCommands } from './document-commands.ts'
import { DRIFT_PARAMS, type DriftCommands } from './drift-commands.ts'
import { FILTER_PARAMS, type FilterCommands } from './filter-commands.ts'
import type { Ordered, Sort } from './order.ts'
import { endpointName, headerName, headerValue, httpUrl, receiverTls, sort } from './params.ts'
import { RECONCILE_PARAMS, type ReconcileCommands } from './reconcile-commands.ts'
import { REPLAY_PARAMS, type ReplayCommands } from './replay-commands.ts'
import { SANDBOX_PARAMS, type SandboxCommands } from './sandbox-commands.ts'
import { SCHEDULE_PARAMS, type ScheduleCommands } from './schedules.ts'
import { type Answer, OVER_BUDGET, type ReceiverTls, type Settings } from './settings.ts'
import type { CoverageSpan, HostStatus } from './status.ts'
import { TIMELINE_PARAMS, type TimelineCommands } from './timeline-commands.ts'
import { TRASH_PARAMS, type TrashCommands } from './trash-commands.ts'

/** A page of the set that `filter` selects, addressed from its oldest member, so that arrivals never move a position. */
export interface PageParams {
  readonly filter: string
  /** Position of the first row wanted, 0 being the oldest; `newest` asks for the last `limit` rows. */
  readonly from: number | 'newest'
  readonly limit: number
  /** Absent: by arrival. */
  readonly sort?: Sort
}
/**
 * How far the members of a filter are known that no index tells (a header, a path, an expression, a size …). They are found from the
 * newest down, and the search goes on for as long as somebody asks for a page or a summary again within two seconds; who stops asking
 * cancels it, and who asks later goes on where it stood.
 */
export interface Searching {
  /** Ids looked at, of all there are. */
  readonly scanned: number
  readonly of: number
}
export interface Page {
  /** From the lowest position up: in order of arrival, unless another order was asked for. */
  readonly rows: readonly DeliveryRow[]
  /** Position of rows[0] in the set. */
  readonly from: number
  /** Size of the set when the page was read. */
  readonly total: number
  /** There may be more members than `total`, all older than those found; absent when all are known. */
  readonly searching?: Searching
  /** Only when an order was asked for. */
  readonly ordered?: Ordered
}

/** What would go, or went. Pinned deliveries are exempt and counted apart. */
export interface RetentionOutcome {
  readonly deliveries: number
  /** Bytes of headers and bodies. */
  readonly bytes: number
  readonly pinnedExempt: number
  /** Arrival of the oldest and newest of them, microseconds; null when there are none. */
  readonly oldest: number | null
  readonly newest: number | null
  /** What lies in the trash goes with it. */
  readonly trash: { readonly deliveries: number; readonly bytes: number }
}
/** Exactly one of the three. */
export interface RetentionParams {
  /** Keep only the newest so many. */
  readonly keepNewest?: number
  /** Drop what arrived before this instant, milliseconds since the epoch. */
  readonly before?: number
  /** Drop the oldest until this many bytes of headers and bodies are freed. */
  readonly freeBytes?: number
}

export interface EndpointParams {
  /** The present name when it is to be changed; absent for a new endpoint. */
  readonly previousName?: string
  readonly name: string
  readonly path: string
  readonly enabled: boolean
  readonly answer: Answer
}

/** Every command once: name -> what goes in, what comes out. A host maps all of them or does not compile. */
export interface Commands
  extends SandboxCommands,
    ReplayCommands,
    ReconcileCommands,
    ScheduleCommands,
    TimelineCommands,
    ConnectCommands,
    DocumentCommands,
    CopyCommands,
    DriftCommands,
    FilterCommands,
    AnnotationCommands,
    TrashCommands {
  'app.info': {
    params: Record<string, never>
    result: { version: string; dataDir: string; capabilities: Capabilities }
  }
  'status.get': { params: Record<string, never>; result: HostStatus }
  /** Starts listening, at another address when one is given (which is then remembered). Never throws for a taken port: the status says so. */
  'receiver.start': { params: { host?: string; port?: number }; result: HostStatus }
  'receiver.stop': { params: Record<string, never>; result: HostStatus }
  'deliveries.page': { params: PageParams; result: Page }
  /** Rows with an id beyond `after` in order of arrival (or before it, newest first, with `newest`), for streaming the whole set. */
  'deliveries.scan': {
    params: { filter: string; after: number | null; limit: number; newest?: boolean; reveal?: boolean }
    result: { rows: DeliveryRow[] }
  }
  /**
   * Where a delivery stands in the set: the number of members that arrived before it, and whether it is a member itself. In another
   * order one that takes no part in it has no place, and is told to be no member.
   */
  'deliveries.locate': {
    params: { filter: string; id: number; sort?: Sort }
    result: { position: number; member: boolean }
  }
  /** Where the member stands that arrived first at or after an instant, or the last one when nothing came since. */
  'deliveries.at': {
    /** `instant` in milliseconds since the epoch. */
    params: { filter: string; instant: number; sort?: Sort }
    /** `id` and `receivedAt` (microseconds since the epoch) are null when the set is empty. */
    result: { position: number; id: number | null; receivedAt: number | null; searching?: Searching }
  }
  /** Counts by verdict of the set that `filter` selects. */
  'deliveries.summary': {
    params: { filter: string }
    result: { total: number; verdicts: Record<Verdict | 'unjudged', number>; searching?: Searching }
  }
  'deliveries.get': { params: { id: number; reveal?: boolean }; result: DeliveryDetail }
  'deliveries.body': {
    /** `reveal` shows credentials in the head of what was no HTTP; a body that belongs to a request always comes as it is. */
    params: { id: number; view: 'raw' | 'decoded'; from: number; length: number; reveal?: boolean }
    result: BodySlice
  }
  'deliveries.pin': { params: { ids: number[]; pinned: boolean }; result: { changed: number } }
  /** Waits until analysis has caught up with what is stored now, at most `timeoutMs`; says how many still wait. */
  'deliveries.settled': { params: { timeoutMs: number }; result: { unjudged: number } }
  'coverage.list': { params: { from: number; to: number }; result: { spans: CoverageSpan[] } }
  'settings.get': { params: Record<string, never>; result: Settings }
  /** Changes what is named; endpoints have commands of their own. */
  'settings.update': {
    params: {
      receiver?: {
        host?: string
        port?: number
        bodyLimit?: number
        maxConnections?: number
        maxConnectionsPerAddress?: number
        tls?: ReceiverTls | null
        publicUrl?: string | null
      }
      masking?: { names?: readonly string[] }
      retention?: Partial<Settings['retention']>
      desktop?: { keepReceiving?: boolean | null }
      appearance?: { theme?: 'system' | 'light' | 'dark'; language?: 'system' | 'en' | 'es' }
    }
    result: Settings
  }
  'endpoints.save': { params: EndpointParams; result: Settings }
  'endpoints.remove': { params: { name: string }; result: Settings }
  /** Sets the accepted value; with `keepPrevious` the present one stays accepted beside it (rotation). */
  'endpoints.set-secret': {
    params: { name: string; header: string; value: string; keepPrevious: boolean }
    result: Settings
  }
  /** `previous` ends a rotation; `all` removes the header check. */
  'endpoints.clear-secret': { params: { name: string; which: 'previous' | 'all' }; result: Settings }
  'retention.preview': { params: RetentionParams; result: RetentionOutcome }
  'retention.apply': { params: RetentionParams; result: RetentionOutcome }
  /** Brings back what can be read of a database set aside; progress shows in the status. */
  'store.salvage': { params: { at: number }; result: { recovered: number } }
  /** A fresh one-time link to the window; `not-available` where the host serves no browser. */
  'ui.link': { params: Record<string, never>; result: { url: string } }
}
export type CommandName = keyof Commands
export type Params<C extends CommandName> = Commands[C]['params']
export type Result<C extends CommandName> = Commands[C]['result']

const nothing = z.strictObject({})
const filter = z.string().max(10_000)
const id = z.int().positive()
const limit = z.int().min(1).max(1_000)
const port = z.int().min(0).max(65_535)
const host = z.string().min(1).max(255)
/** Bytes of disk; with less there would be no room for one large delivery. */
const quota = z.int().min(10_000_000)
const instant = z.int().nonnegative()
const maskedName = z
  .string()
  .max(100)
  .regex(
    /^!?[^\s!,:=&]*[\p{L}\p{N}][^\s!,:=&]*$/u,
    'give a name such as X-Hook-Code, with * for any characters, or !name to show it',
  )
const answer = z.strictObject({
  status: z.int().min(200).max(599),
  headers: z.array(z.tuple([headerName, headerValue])).max(1_000),
  body: z.string().max(1_048_576),
  delayMs: z.int().min(0).max(600_000),
})
const retention = z
  .strictObject({
    keepNewest: z.int().nonnegative().optional(),
    before: instant.optional(),
    freeBytes: z.int().positive().optional(),
  })
  .refine(
    (r) => [r.keepNewest, r.before, r.freeBytes].filter((v) => v !== undefined).length === 1,
    'give exactly one of keepNewest, before, freeBytes',
  )

/** What a boundary accepts. Unknown members are refused: a typo must not silently do nothing. */
export const PARAMS: { readonly [C in CommandName]: z.ZodType<unknown> } = {
  'app.info': nothing,
  'status.get': nothing,
  'receiver.start': z.strictObject({ host: host.optional(), port: port.optional() }),
  'receiver.stop': nothing,
  'deliveries.page': z.strictObject({
    filter,
    from: z.union([z.literal('newest'), z.int().nonnegative()]),
    limit,
    sort: sort.optional(),
  }),
  'deliveries.scan': z.strictObject({
    filter,
    after: z.int().nonnegative().nullable(),
    limit,
    newest: z.boolean().optional(),
    reveal: z.boolean().optional(),
  }),
  'deliveries.locate': z.strictObject({ filter, id, sort: sort.optional() }),
  'deliveries.at': z.strictObject({
    filter,
    instant: instant.max(8_640_000_000_000_000),
    sort: sort.optional(),
  }),
  'deliveries.summary': z.strictObject({ filter }),
  'deliveries.get': z.strictObject({ id, reveal: z.boolean().optional() }),
  'deliveries.body': z.strictObject({
    id,
    view: z.enum(['raw', 'decoded']),
    from: z.int().nonnegative(),
    length: z.int().min(1).max(8_388_608),
    reveal: z.boolean().optional(),
  }),
  'deliveries.pin': z.strictObject({ ids: z.array(id).max(10_000), pinned: z.boolean() }),
  'deliveries.settled': z.strictObject({ timeoutMs: z.int().min(0).max(60_000) }),
  'coverage.list': z.strictObject({ from: instant, to: instant }),
  'settings.get': nothing,
  'settings.update': z.strictObject({
    receiver: z
      .strictObject({
        host: host.optional(),
        port: port.optional(),
        bodyLimit: z.int().min(1_024).max(1_073_741_824).optional(),
        maxConnections: z.int().min(10).max(50_000).optional(),
        maxConnectionsPerAddress: z.int().min(1).max(50_000).optional(),
        tls: receiverTls.nullable().optional(),
        publicUrl: httpUrl.nullable().optional(),
      })
      .optional(),
    masking: z.strictObject({ names: z.array(maskedName).max(200).optional() }).optional(),
    retention: z
      .strictObject({
        budgetBytes: quota.optional(),
        overBudget: z.enum(OVER_BUDGET).optional(),
        rejectedDeliveries: z.int().min(100).optional(),
        rejectedBytes: quota.optional(),
        malformedDeliveries: z.int().min(100).optional(),
        malformedBytes: quota.optional(),
      })
      .optional(),
    desktop: z.strictObject({ keepReceiving: z.boolean().nullable().optional() }).optional(),
    appearance: z
      .strictObject({
        theme: z.enum(['system', 'light', 'dark']).optional(),
        language: z.enum(['system', 'en', 'es']).optional(),
      })
      .optional(),
  }),
  'endpoints.save': z.strictObject({
    previousName: endpointName.optional(),
    name: endpointName,
    path: z
      .string()
      .max(2_000)
      .regex(/^\/[\x21-\x22\x24-\x3e\x40-\x7e]*$/, 'start with "/", no spaces, "?" or "#"'),
    enabled: z.boolean(),
    answer,
  }),
  'endpoints.remove': z.strictObject({ name: endpointName }),
  'endpoints.set-secret': z.strictObject({
    name: endpointName,
    header: headerName,
    value: headerValue.min(1),
    keepPrevious: z.boolean(),
  }),
  'endpoints.clear-secret': z.strictObject({ name: endpointName, which: z.enum(['previous', 'all']) }),
  'retention.preview': retention,
  'retention.apply': retention,
  'store.salvage': z.strictObject({ at: instant }),
  'ui.link': nothing,
  ...SANDBOX_PARAMS,
  ...REPLAY_PARAMS,
  ...RECONCILE_PARAMS,
  ...SCHEDULE_PARAMS,
  ...TIMELINE_PARAMS,
  ...CONNECT_PARAMS,
  ...DOCUMENT_PARAMS,
  ...COPY_PARAMS,
  ...DRIFT_PARAMS,
  ...FILTER_PARAMS,
  ...ANNOTATION_PARAMS,
  ...TRASH_PARAMS,
}
export const COMMAND_NAMES = Object.keys(PARAMS) as readonly CommandName[]
