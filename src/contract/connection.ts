import { z } from 'zod'
import { endpointName, headerName, headerValue, httpUrl, kind, type Of, partial, zone } from './params.ts'
import { timeouts } from './target.ts'
import { DOCUMENT_GROUPS, MOST_DOCUMENT_TYPES } from './values.ts'

const pointer = z
  .string()
  .max(500)
  .regex(/^(?:\/[^/]*)+$/, 'start with "/"')
  .nullable()
/** Where to find each value in a sync item: an RFC 6901 pointer into the item; null when it was not found. */
const mapping = {
  documentId: pointer,
  number: pointer,
  issuedAt: pointer,
  documentType: pointer,
  status: pointer,
  voided: pointer,
  /** The empty (root) pointer: the accounting fields are members of the item itself. */
  accounting: z.union([pointer, z.literal('')]),
}
export const itemMapping = z.strictObject(mapping)
export type ItemMapping = Of<typeof itemMapping>
export type MappedField = keyof ItemMapping
export const MAPPED_FIELDS: readonly MappedField[] = itemMapping.keyof().options

export type DocumentGroup = (typeof DOCUMENT_GROUPS)[number]
/** Which kind of document, and so which events, the user assigns to a document type (readings, Rebuilding). */
const mappedDocumentType = z.strictObject({
  /** DocumentTypeId of a sync item. */
  id: z.int().nonnegative(),
  group: z.enum(DOCUMENT_GROUPS),
})
export type MappedDocumentType = Of<typeof mappedDocumentType>

/** `stored`: in the secret store. `environment`: in `ACUSE_API_KEY` or `ACUSE_PLUGIN_TOKEN` of the process. */
const credentialPlace = z.enum(['none', 'stored', 'environment'])
export type CredentialPlace = Of<typeof credentialPlace>

/** Members of a connection that a user sets, without credentials. */
export const connectionMembers = {
  name: endpointName,
  /** Endpoints that receive this connection's deliveries; empty: all. */
  endpoints: z.array(endpointName).max(1_000),
  /** Kinds that the service's subscription includes; null: all 28. */
  kinds: z.array(kind).max(100).nullable(),
  /** Zone of dates typed without a time; such a date means the whole day. */
  zone,
  /** Without the path of the routes and without a trailing slash. */
  baseUrl: httpUrl,
  /** How the plugin token is sent; an empty scheme sends the token alone. */
  pluginHeader: z.strictObject({
    name: headerName,
    scheme: z
      .string()
      .max(40)
      .regex(/^[\x21-\x7e]*$/, 'not a scheme; use one word such as Bearer, or none'),
  }),
  timeouts,
  /** `environment`: HTTP_PROXY and related variables; `none`; or the address of a proxy. */
  proxy: z.union(
    [z.enum(['environment', 'none']), httpUrl],
    'give "environment", "none", or an http:// or https:// address without user and password',
  ),
  acceptAnyCertificate: z.boolean(),
  /** The user's corrections to the mapping found by name; null: none. */
  mapping: z.strictObject(partial(mapping)).nullable(),
  /** The user's groups for document types, used when neither captures nor the Number reveal the group; each id at most once. */
  documentTypes: z
    .array(mappedDocumentType)
    .max(MOST_DOCUMENT_TYPES)
    .refine(
      (types) => new Set(types.map(({ id }) => id)).size === types.length,
      'names a document type twice; give each once',
    ),
  /** The user states that `documentTypes` names every type of the service, so a date swept type by type counts as complete. */
  documentTypesComplete: z.boolean(),
  /** A document is "not yet due" while it was issued within `issuedHours` and first returned less than `returnedMinutes` ago. */
  notYetDue: z.strictObject({
    issuedHours: z.number().min(0).max(8_760),
    returnedMinutes: z.number().min(0).max(525_600),
  }),
  /** Fields of the accounting projection whose differences are ignored. */
  ignoredFields: z.array(z.string().min(1).max(200)).max(100),
}
/** An account of the service, whose captured deliveries are compared with its sync routes. */
export const connection = z.strictObject({
  ...connectionMembers,
  apiKey: credentialPlace,
  pluginToken: credentialPlace,
})
export type Connection = Of<typeof connection>

/** A connection as the user enters it. An absent credential keeps the stored one; null deletes it. */
export const givenConnection = z.strictObject({
  ...connectionMembers,
  previousName: endpointName.exactOptional(),
  apiKey: headerValue.min(1).nullable().exactOptional(),
  pluginToken: headerValue.min(1).nullable().exactOptional(),
})
export type GivenConnection = Of<typeof givenConnection>
