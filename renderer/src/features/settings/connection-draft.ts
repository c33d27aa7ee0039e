import { KINDS, type Kind } from '#catalog/kinds.ts'
import type { Params } from '#contract/commands.ts'
import type { Connection, ItemMapping, MappedField } from '#contract/connection.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import type { Refusal } from '#contract/errors.ts'
import {
  type DocumentTypesProblem,
  documentTypesText,
  readDocumentTypes,
} from '#core/reconcile/document-types.ts'
import { HEADER_NAME } from '@/shared/headers/header-draft.ts'
import { fullUrl, urlProblem } from '@/shared/targets/target-choice.ts'

export const MAPPED_FIELDS = [
  'documentId',
  'number',
  'issuedAt',
  'documentType',
  'status',
  'voided',
  'accounting',
] as const satisfies readonly MappedField[]

/** A secret while the form is open. What is stored never comes back: a new text takes its place, or it is forgotten. */
export interface CredentialDraft {
  readonly typed: string
  readonly forget: boolean
}

/** A connection while it is being edited: whatever was typed, right or not. */
export interface ConnectionDraft {
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: CredentialDraft
  readonly pluginToken: CredentialDraft
  readonly headerName: string
  readonly scheme: string
  /** Empty: all endpoints. */
  readonly endpoints: readonly string[]
  /** Null: all 28. */
  readonly kinds: readonly Kind[] | null
  readonly zone: string
  readonly connectMs: number | null
  readonly answerMs: number | null
  readonly totalMs: number | null
  readonly proxy: 'environment' | 'none' | 'address'
  readonly proxyUrl: string
  readonly acceptAnyCertificate: boolean
  readonly issuedHours: number | null
  readonly returnedMinutes: number | null
  /** As typed: separated by commas or spaces. */
  readonly ignoredFields: string
  /** Pointers; an empty one leaves the field as it is found, `-` says that there is none, `.` that its fields stand on the item. */
  readonly mapping: Readonly<Record<MappedField, string>>
  /** As typed: `31=factura, 34=nota_credito`. */
  readonly documentTypes: string
  readonly documentTypesComplete: boolean
}

export type ConnectionError =
  | 'name'
  | 'nameTaken'
  | 'missing'
  | 'notHttp'
  | 'credentials'
  | 'header'
  | 'scheme'
  | 'kinds'
  | 'zone'
  | 'milliseconds'
  | 'proxy'
  | 'hours'
  | 'minutes'
  | 'pointer'
  | 'typesForm'
  | 'typesGroup'
  | 'typesTwice'
  | 'typesMany'
  | 'typesNone'
  | 'secret'
export type ConnectionErrors = ReadonlyMap<string, ConnectionError>

/** What stands for "the items have no such field". */
export const NO_FIELD = '-'
/** What stands for the item itself, whose pointer is empty: the accounting fields stand flat on it. */
export const ON_ITEM = '.'

const NO_CREDENTIAL: CredentialDraft = { typed: '', forget: false }

export function connectionDraftOf(connection: Connection | null): ConnectionDraft {
  const from = connection ?? { ...DEFAULT_CONNECTION, name: '', baseUrl: '' }
  const fixed = from.proxy === 'environment' || from.proxy === 'none'
  const pointer = (field: MappedField): string => {
    const given = from.mapping?.[field]
    if (given === '') return ON_ITEM
    return given === undefined ? '' : (given ?? NO_FIELD)
  }
  return {
    name: from.name,
    baseUrl: from.baseUrl,
    apiKey: NO_CREDENTIAL,
    pluginToken: NO_CREDENTIAL,
    headerName: from.pluginHeader.name,
    scheme: from.pluginHeader.scheme,
    endpoints: from.endpoints,
    kinds: from.kinds,
    zone: from.zone,
    ...from.timeouts,
    proxy: from.proxy === 'environment' || from.proxy === 'none' ? from.proxy : 'address',
    proxyUrl: fixed ? '' : from.proxy,
    acceptAnyCertificate: from.acceptAnyCertificate,
    issuedHours: from.notYetDue.issuedHours,
    returnedMinutes: from.notYetDue.returnedMinutes,
    ignoredFields: from.ignoredFields.join(', '),
    mapping: Object.fromEntries(MAPPED_FIELDS.map((field) => [field, pointer(field)])) as Record<
      MappedField,
      string
    >,
    documentTypes: documentTypesText(from.documentTypes),
    documentTypesComplete: from.documentTypesComplete,
  }
}

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/
const POINTER = /^(?:\/[^/]*)+$/
// Bytes that no header value may hold, and nothing beyond Latin-1.
const SECRET = /^[\x21-\x7e\xa0-\xff](?:[\t\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa0-\xff])?$/
const within = (value: number | null, from: number, to: number): boolean =>
  value !== null && value >= from && value <= to

const TYPES_ERRORS = {
  form: 'typesForm',
  id: 'typesForm',
  group: 'typesGroup',
  twice: 'typesTwice',
  many: 'typesMany',
} as const satisfies Readonly<Record<DocumentTypesProblem['problem'], ConnectionError>>

/** Whether this is a time zone that the system knows. */
export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name.trim() }) !== undefined && name.trim() !== ''
  } catch {
    return false
  }
}

/** What the host would refuse, told while typing. @param others names of the other connections */
export function connectionErrors(draft: ConnectionDraft, others: readonly string[]): ConnectionErrors {
  const errors = new Map<string, ConnectionError>()
  if (!NAME.test(draft.name)) errors.set('name', 'name')
  else if (others.includes(draft.name)) errors.set('name', 'nameTaken')
  const url = urlProblem(draft.baseUrl)
  if (url) errors.set('baseUrl', url)
  for (const field of ['apiKey', 'pluginToken'] as const)
    if (draft[field].typed !== '' && !SECRET.test(draft[field].typed)) errors.set(field, 'secret')
  if (!HEADER_NAME.test(draft.headerName)) errors.set('headerName', 'header')
  if (!/^[\x21-\x7e]{0,40}$/.test(draft.scheme)) errors.set('scheme', 'scheme')
  if (draft.kinds?.length === 0) errors.set('kinds', 'kinds')
  if (!isZone(draft.zone)) errors.set('zone', 'zone')
  for (const field of ['connectMs', 'answerMs', 'totalMs'] as const)
    if (!within(draft[field], 1, 3_600_000)) errors.set(field, 'milliseconds')
  if (draft.proxy === 'address' && urlProblem(draft.proxyUrl)) errors.set('proxyUrl', 'proxy')
  if (!within(draft.issuedHours, 0, 8_760)) errors.set('issuedHours', 'hours')
  if (!within(draft.returnedMinutes, 0, 525_600)) errors.set('returnedMinutes', 'minutes')
  for (const field of MAPPED_FIELDS) {
    const typed = draft.mapping[field].trim()
    const known = typed === '' || typed === NO_FIELD || (typed === ON_ITEM && field === 'accounting')
    if (!known && !POINTER.test(typed)) errors.set(`mapping-${field}`, 'pointer')
  }
  const types = readDocumentTypes(draft.documentTypes)
  if ('problem' in types) errors.set('documentTypes', TYPES_ERRORS[types.problem])
  else if (types.types.length === 0 && draft.documentTypesComplete) errors.set('documentTypes', 'typesNone')
  return errors
}

/** The field that a refusal is about, if it says so (contract: Refusal.details.path). */
export function refusedConnectionField(refusal: Refusal | null): ConnectionErrors {
  const path = String(refusal?.details?.path ?? '')
  if (path === 'name') return new Map([['name', refusal?.code === 'conflict' ? 'nameTaken' : 'name']])
  if (path === 'baseUrl') return new Map([['baseUrl', 'notHttp']])
  if (path === 'zone') return new Map([['zone', 'zone']])
  return new Map()
}

/** Absent keeps what there is, null forgets it. */
function credential(draft: CredentialDraft): string | null | undefined {
  if (draft.typed !== '') return draft.typed
  return draft.forget ? null : undefined
}

function mappingOf(draft: ConnectionDraft): Partial<ItemMapping> | null {
  const corrected = MAPPED_FIELDS.flatMap((field) => {
    const typed = draft.mapping[field].trim()
    if (typed === '') return []
    return [[field, typed === NO_FIELD ? null : typed === ON_ITEM ? '' : typed] as const]
  })
  return corrected.length === 0 ? null : Object.fromEntries(corrected)
}

/** @returns undefined while a number is missing, or the document types are not understood */
export function connectionParamsOf(
  draft: ConnectionDraft,
  previous: Pick<Connection, 'name'> | null,
): Params<'connections.save'> | undefined {
  const { connectMs, answerMs, totalMs, issuedHours, returnedMinutes } = draft
  if (connectMs === null || answerMs === null || totalMs === null) return undefined
  if (issuedHours === null || returnedMinutes === null) return undefined
  const types = readDocumentTypes(draft.documentTypes)
  if ('problem' in types) return undefined
  const apiKey = credential(draft.apiKey)
  const pluginToken = credential(draft.pluginToken)
  return {
    ...(previous ? { previousName: previous.name } : {}),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(pluginToken === undefined ? {} : { pluginToken }),
    name: draft.name,
    endpoints: draft.endpoints,
    kinds: draft.kinds?.length === KINDS.length ? null : draft.kinds,
    zone: draft.zone.trim(),
    baseUrl: fullUrl(draft.baseUrl).replace(/\/+$/, ''),
    pluginHeader: { name: draft.headerName, scheme: draft.scheme },
    timeouts: { connectMs, answerMs, totalMs },
    proxy: draft.proxy === 'address' ? fullUrl(draft.proxyUrl) : draft.proxy,
    acceptAnyCertificate: draft.acceptAnyCertificate,
    mapping: mappingOf(draft),
    documentTypes: types.types,
    documentTypesComplete: draft.documentTypesComplete,
    notYetDue: { issuedHours, returnedMinutes },
    ignoredFields: draft.ignoredFields.split(/[\s,;]+/).filter((name) => name !== ''),
  }
}
