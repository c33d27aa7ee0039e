import { KINDS } from '#catalog/kinds.ts'
import type { Connection, ItemMapping, MappedField } from '#contract/connection.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import {
  type DocumentTypesProblem,
  documentTypesText,
  readDocumentTypes,
} from '#core/reconcile/document-types.ts'
import type { Form, Typed } from '@/shared/forms/form.ts'
import { fullUrl, urlProblem } from '@/shared/targets/target-choice.ts'
import { type ErrorOf, namesIn } from './forms.ts'

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
interface CredentialDraft {
  readonly typed: string
  readonly forget: boolean
}

/** What stands for "the items have no such field". */
const NO_FIELD = '-'
/** What stands for the item itself, whose pointer is empty: the accounting fields stand flat on it. */
const ON_ITEM = '.'

const NO_CREDENTIAL: CredentialDraft = { typed: '', forget: false }

/** A connection as the user edits it: right or not. */
export type ConnectionDraft = ReturnType<typeof connectionDraft>

function connectionDraft(connection: Connection | null) {
  const from = connection ?? { ...DEFAULT_CONNECTION, name: '', baseUrl: '' }
  const { name, baseUrl, endpoints, kinds, zone, acceptAnyCertificate, documentTypesComplete } = from
  const numbers: Typed<Connection['timeouts'] & Connection['notYetDue']> = {
    ...from.timeouts,
    ...from.notYetDue,
  }
  const proxy = from.proxy === 'environment' || from.proxy === 'none' ? from.proxy : ('address' as const)
  const pointer = (field: MappedField): string => {
    const given = from.mapping?.[field]
    if (given === '') return ON_ITEM
    return given === undefined ? '' : (given ?? NO_FIELD)
  }
  return {
    ...{ name, baseUrl, endpoints, kinds, zone, acceptAnyCertificate, documentTypesComplete, ...numbers },
    apiKey: NO_CREDENTIAL,
    pluginToken: NO_CREDENTIAL,
    headerName: from.pluginHeader.name,
    scheme: from.pluginHeader.scheme,
    proxy,
    proxyUrl: proxy === 'address' ? from.proxy : '',
    /** As typed: separated by commas or spaces. */
    ignoredFields: from.ignoredFields.join(', '),
    /** Pointers; an empty one leaves the field as it is found, `-` says that there is none, `.` that its fields stand on the item. */
    mapping: Object.fromEntries(MAPPED_FIELDS.map((field) => [field, pointer(field)])) as Record<
      MappedField,
      string
    >,
    /** As typed: `31=factura, 34=nota_credito`. */
    documentTypes: documentTypesText(from.documentTypes),
  }
}

const TYPES_ERRORS = {
  form: 'typesForm',
  id: 'typesForm',
  group: 'typesGroup',
  twice: 'typesTwice',
  many: 'typesMany',
} as const satisfies Readonly<Record<DocumentTypesProblem['problem'], ErrorOf<'connections'>>>

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

/** @param others names of the other connections */
export const connectionForm = (
  connection: Connection | null,
  others: readonly string[],
): Form<'connections.save', ConnectionDraft, ErrorOf<'connections'>> => ({
  command: 'connections.save',
  first: connectionDraft(connection),
  params: (draft) => {
    const types = readDocumentTypes(draft.documentTypes)
    const apiKey = credential(draft.apiKey)
    const pluginToken = credential(draft.pluginToken)
    return {
      ...(connection ? { previousName: connection.name } : {}),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(pluginToken === undefined ? {} : { pluginToken }),
      name: draft.name,
      endpoints: draft.endpoints,
      kinds: draft.kinds?.length === KINDS.length ? null : draft.kinds,
      zone: draft.zone.trim(),
      baseUrl: fullUrl(draft.baseUrl).replace(/\/+$/, ''),
      pluginHeader: { name: draft.headerName, scheme: draft.scheme },
      timeouts: { connectMs: draft.connectMs, answerMs: draft.answerMs, totalMs: draft.totalMs },
      proxy: draft.proxy === 'address' ? fullUrl(draft.proxyUrl) : draft.proxy,
      acceptAnyCertificate: draft.acceptAnyCertificate,
      mapping: mappingOf(draft),
      documentTypes: 'problem' in types ? [] : types.types,
      documentTypesComplete: draft.documentTypesComplete,
      notYetDue: { issuedHours: draft.issuedHours, returnedMinutes: draft.returnedMinutes },
      ignoredFields: namesIn(draft.ignoredFields),
    }
  },
  places: () => ({
    name: ['name', 'name'],
    baseUrl: ['baseUrl', 'notHttp'],
    apiKey: ['apiKey', 'secret'],
    pluginToken: ['pluginToken', 'secret'],
    'pluginHeader.name': ['headerName', 'header'],
    'pluginHeader.scheme': ['scheme', 'scheme'],
    zone: ['zone', 'zone'],
    'timeouts.*': ['*', 'milliseconds'],
    proxy: ['proxyUrl', 'proxy'],
    'notYetDue.issuedHours': ['issuedHours', 'hours'],
    'notYetDue.returnedMinutes': ['returnedMinutes', 'minutes'],
    'mapping.*': ['mapping-*', 'pointer'],
  }),
  *own(draft) {
    if (others.includes(draft.name)) yield ['name', 'nameTaken']
    const url = urlProblem(draft.baseUrl)
    if (url) yield ['baseUrl', url]
    // A blank at an end comes from copying, and no service knows the key with it.
    for (const field of ['apiKey', 'pluginToken'] as const)
      if (draft[field].typed !== draft[field].typed.trim()) yield [field, 'secret']
    if (draft.kinds?.length === 0) yield ['kinds', 'kinds']
    const types = readDocumentTypes(draft.documentTypes)
    if ('problem' in types) yield ['documentTypes', TYPES_ERRORS[types.problem]]
    else if (types.types.length === 0 && draft.documentTypesComplete) yield ['documentTypes', 'typesNone']
  },
  refused: ({ code }, place) =>
    code === 'conflict' && place?.[0] === 'name' ? ['name', 'nameTaken'] : place,
})
