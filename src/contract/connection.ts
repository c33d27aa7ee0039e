import { z } from 'zod'
import { endpointName, headerName, headerValue, httpUrl, kind, type Of, partial, zone } from './params.ts'
import { timeouts } from './target.ts'
import { DOCUMENT_GROUPS, MOST_DOCUMENT_TYPES } from './values.ts'

const pointer = z
  .string()
  .max(500)
  .regex(/^(?:\/[^/]*)+$/, 'start with "/"')
  .nullable()
/** Where a value of a sync item is found: RFC 6901 pointer into the item; null when it could not be. */
const mapping = {
  documentId: pointer,
  number: pointer,
  issuedAt: pointer,
  documentType: pointer,
  status: pointer,
  voided: pointer,
  /** The root pointer (empty): its fields stand flat on the item. */
  accounting: z.union([pointer, z.literal('')]),
}
export const itemMapping = z.strictObject(mapping)
export type ItemMapping = Of<typeof itemMapping>
export type MappedField = keyof ItemMapping

export type DocumentGroup = (typeof DOCUMENT_GROUPS)[number]
/** Which events the documents of a type have, as a user says it (readings, Rebuilding). */
const mappedDocumentType = z.strictObject({
  /** DocumentTypeId of a sync item. */
  id: z.int().nonnegative(),
  group: z.enum(DOCUMENT_GROUPS),
})
export type MappedDocumentType = Of<typeof mappedDocumentType>

/** `stored`: in the secret store. `environment`: `ACUSE_API_KEY` or `ACUSE_PLUGIN_TOKEN` of the process. */
const credentialPlace = z.enum(['none', 'stored', 'environment'])
export type CredentialPlace = Of<typeof credentialPlace>

/** Members of a connection that a user sets, credentials apart. */
export const connectionMembers = {
  name: endpointName,
  /** Endpoints whose deliveries belong to it; empty: all. */
  endpoints: z.array(endpointName).max(1_000),
  /** Kinds that the service's subscription has; null: all 28. */
  kinds: z.array(kind).max(100).nullable(),
  /** Dates typed without time mean whole days here. */
  zone,
  /** Without the routes' own path and without a slash at its end. */
  baseUrl: httpUrl,
  /** How the plugin's token travels; an empty scheme sends the token alone. */
  pluginHeader: z.strictObject({
    name: headerName,
    scheme: z
      .string()
      .max(40)
      .regex(/^[\x21-\x7e]*$/, 'not a scheme; use one word such as Bearer, or none'),
  }),
  timeouts,
  /** `environment`: HTTP_PROXY and its like; `none`; or a proxy's address. */
  proxy: z.union(
    [z.enum(['environment', 'none']), httpUrl],
    'give "environment", "none", or an http:// or https:// address without user and password',
  ),
  acceptAnyCertificate: z.boolean(),
  /** Corrections of what is found by name; null: as found. */
  mapping: z.strictObject(partial(mapping)).nullable(),
  /** Which events documents of a type have, for those of which neither captures nor the Number tell it; each id stands once. */
  documentTypes: z
    .array(mappedDocumentType)
    .max(MOST_DOCUMENT_TYPES)
    .refine(
      (types) => new Set(types.map(({ id }) => id)).size === types.length,
      'names a document type twice; give each once',
    ),
  /** The user states that `documentTypes` names every type of the service: a date that was listed type by type counts as whole then. */
  documentTypesComplete: z.boolean(),
  /** A document is not yet due while issued within `issuedHours` and first returned less than `returnedMinutes` ago. */
  notYetDue: z.strictObject({
    issuedHours: z.number().min(0).max(8_760),
    returnedMinutes: z.number().min(0).max(525_600),
  }),
  /** Fields of the accounting projection whose differences do not count. */
  ignoredFields: z.array(z.string().min(1).max(200)).max(100),
}
/** An account of the service: whose deliveries are compared with what its sync routes say. */
export const connection = z.strictObject({
  ...connectionMembers,
  apiKey: credentialPlace,
  pluginToken: credentialPlace,
})
export type Connection = Of<typeof connection>

/** As the user gives it. Credentials: absent keeps the present one, null forgets it. */
export const givenConnection = z.strictObject({
  ...connectionMembers,
  previousName: endpointName.exactOptional(),
  apiKey: headerValue.min(1).nullable().exactOptional(),
  pluginToken: headerValue.min(1).nullable().exactOptional(),
})
export type GivenConnection = Of<typeof givenConnection>
