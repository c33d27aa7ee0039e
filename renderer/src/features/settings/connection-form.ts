import { KINDS } from '#catalog/kinds.ts'
import { type Connection, type ItemMapping, MAPPED_FIELDS, type MappedField } from '#contract/connection.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import { fullUrl } from '#contract/params.ts'
import { documentTypesText, readDocumentTypes } from '#core/reconcile/documents.ts'
import type { Form, Typed } from '@/shared/forms/form.ts'
import { urlProblem } from '@/shared/targets/target-choice.ts'
import { namesIn } from './forms.ts'

/** A secret in the form. The host never returns the stored value; the user replaces or removes it. */
const NO_CREDENTIAL = { typed: '', forget: false }

/** Means that the items have no such field. */
const NO_FIELD = '-'
/** Means the item itself, whose pointer is empty: the accounting fields are flat on it. */
const ON_ITEM = '.'

function connectionDraft(connection: Connection | null) {
  const from = connection ?? { ...DEFAULT_CONNECTION, name: '', baseUrl: '' }
  const numbers: Typed<Pick<Connection, 'timeouts' | 'notYetDue'>> = from
  const proxy = from.proxy === 'environment' || from.proxy === 'none' ? from.proxy : ('address' as const)
  const pointer = (field: MappedField): string => {
    const given = from.mapping?.[field]
    if (given === '') return ON_ITEM
    return given === undefined ? '' : (given ?? NO_FIELD)
  }
  return {
    ...from,
    ...numbers,
    apiKey: NO_CREDENTIAL,
    pluginToken: NO_CREDENTIAL,
    proxy,
    proxyUrl: proxy === 'address' ? from.proxy : '',
    ignoredFields: from.ignoredFields.join(', '),
    /** Pointers. Empty: detect the field; `-`: the items have none; `.`: its fields are flat on the item. */
    mapping: Object.fromEntries(MAPPED_FIELDS.map((field) => [field, pointer(field)])) as Record<
      MappedField,
      string
    >,
    /** As typed: `31=factura, 34=nota_credito`. */
    documentTypes: documentTypesText(from.documentTypes),
  }
}

export type ConnectionDraft = ReturnType<typeof connectionDraft>

const TYPES_ERRORS = {
  form: 'typesForm',
  id: 'typesForm',
  group: 'typesGroup',
  twice: 'typesTwice',
  many: 'typesMany',
} as const

/** An absent member keeps the stored value, null removes it. */
function credentials(draft: ConnectionDraft) {
  const changed = (['apiKey', 'pluginToken'] as const).filter(
    (name) => draft[name].typed !== '' || draft[name].forget,
  )
  return Object.fromEntries(changed.map((name) => [name, draft[name].typed || null]))
}

function mappingOf(draft: ConnectionDraft): Partial<ItemMapping> | null {
  const corrected = MAPPED_FIELDS.flatMap((field) => {
    const typed = draft.mapping[field].trim()
    if (typed === '') return []
    return [[field, typed === NO_FIELD ? null : typed === ON_ITEM ? '' : typed] as const]
  })
  return corrected.length === 0 ? null : Object.fromEntries(corrected)
}

export const connectionForm = (
  connection: Connection | null,
  others: readonly string[],
): Form<'connections.save', ConnectionDraft> => ({
  command: 'connections.save',
  first: connectionDraft(connection),
  params: (draft) => {
    const { apiKey: _, pluginToken: __, proxyUrl, ...rest } = draft
    const types = readDocumentTypes(draft.documentTypes)
    return {
      ...rest,
      ...(connection ? { previousName: connection.name } : {}),
      ...credentials(draft),
      kinds: draft.kinds?.length === KINDS.length ? null : draft.kinds,
      zone: draft.zone.trim(),
      baseUrl: fullUrl(draft.baseUrl).replace(/\/+$/, ''),
      proxy: draft.proxy === 'address' ? fullUrl(proxyUrl) : draft.proxy,
      mapping: mappingOf(draft),
      documentTypes: 'problem' in types ? [] : types.types,
      ignoredFields: namesIn(draft.ignoredFields),
    }
  },
  places: () => ({
    apiKey: ['apiKey.typed', 'secret'],
    pluginToken: ['pluginToken.typed', 'secret'],
    proxy: ['proxyUrl', 'proxyUrl'],
  }),
  *own(draft) {
    if (others.includes(draft.name)) yield ['name', 'nameTaken']
    const url = urlProblem(draft.baseUrl)
    if (url) yield ['baseUrl', url]
    // Copying can add a blank at an end, and no key contains one.
    for (const field of ['apiKey', 'pluginToken'] as const)
      if (draft[field].typed !== draft[field].typed.trim()) yield [`${field}.typed`, 'secret']
    if (draft.kinds?.length === 0) yield ['kinds', 'kinds']
    const types = readDocumentTypes(draft.documentTypes)
    if ('problem' in types) yield ['documentTypes', TYPES_ERRORS[types.problem]]
    else if (types.types.length === 0 && draft.documentTypesComplete) yield ['documentTypes', 'typesNone']
  },
})
