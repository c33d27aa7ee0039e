import { ACCOUNTING_FIELDS } from '#catalog/fields.ts'
import { type ItemMapping, MAPPED_FIELDS, type MappedField } from '#contract/connection.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import { parseDecimal, toSafeInteger } from '../json/decimal.ts'
import { pointerToken, resolvePointer } from '../json/pointer.ts'
import {
  codeOf,
  type JsonTree,
  membersOf,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
  sourceOf,
  stringOf,
  TRUE,
} from '../json/tree.ts'
import { readDate, zonedText } from '../time/zone.ts'
import type { CanonicalValue, RemoteDocument } from './documents.ts'
import { canonical } from './fingerprint.ts'

/** Pointers into the item that the user has set; null states that the item has no such value. */
export type Corrections = Partial<ItemMapping> | null

export interface ItemReading {
  readonly corrections: Corrections
  /** IANA name of the zone of dates without an offset. */
  readonly zone: string
}

export const AS_FOUND: ItemReading = { corrections: null, zone: DEFAULT_CONNECTION.zone }

/** Accepted names of each value, folded, the documented one first. The item's shape is not shown (Endpoints, accounting-sync). */
const NAMES: Readonly<Record<MappedField, readonly string[]>> = {
  documentId: ['documentid', 'id'],
  number: ['number'],
  issuedAt: ['issuedat'],
  documentType: ['documenttypeid'],
  status: ['statusid'],
  voided: ['isanulated', 'anulated', 'isvoided', 'voided'],
  accounting: ['accounting'],
}
const byField = (pointer: (field: MappedField) => string | null): ItemMapping =>
  Object.fromEntries(MAPPED_FIELDS.map((field) => [field, pointer(field)])) as Record<
    MappedField,
    string | null
  >

/** Maximum cached names, in case a service never repeats one. */
const NAMES_KEPT = 1_000
const FOLDED = new Map<string, string>()

const ACCOUNTING_BY_FOLD: ReadonlyMap<string, string> = new Map(
  [...ACCOUNTING_FIELDS.keys()].map((name) => [fold(name), name]),
)

/** Ignores case and separators, so `document_id` equals `DocumentId`. */
function fold(name: string): string {
  let folded = FOLDED.get(name)
  if (folded === undefined) {
    folded = name.replace(/[_-]/g, '').toLowerCase()
    if (FOLDED.size < NAMES_KEPT) FOLDED.set(name, folded)
  }
  return folded
}

/** Fields that items have outside an accounting projection too, so they do not reveal where one is. */
const ALSO_OF_ITEMS: ReadonlySet<string> = new Set(['documenttypeid', 'sequencetypeid', 'issuedat'])

interface Place {
  readonly at: string
  readonly name: string
  readonly node: number
}
type Places = ReadonlyMap<string, Place>

const pointerOf = ({ at, name }: Place): string => `${at}/${pointerToken(name)}`

/** Cache for the last item, whose values are all read together. */
let last: { readonly tree: JsonTree; readonly item: number; readonly places: Places } | undefined

/**
 * Members by folded name: the item's own, then those in `data`, then those in `Accounting`. The first of several spellings wins; of one
 * spelling the last. Looks through a wrapper around the item. Without `Accounting`, the object with its fields takes its place.
 */
function placesOf(tree: JsonTree, item: number): Places {
  if (last?.tree === tree && last.item === item) return last.places
  const places = lookedUp(tree, item)
  last = { tree, item, places }
  return places
}

function lookedUp(tree: JsonTree, item: number): Places {
  const places = new Map<string, Place>()
  const add = (object: number, at: string) => {
    for (const { key, value } of membersOf(tree, object)) {
      const name = stringOf(tree, key)
      const folded = fold(name)
      const known = places.get(folded)
      if (!known || (known.at === at && known.name === name)) places.set(folded, { at, name, node: value })
    }
  }
  const wrapper = wrapperOf(tree, item)
  add(wrapper?.node ?? item, wrapper ? pointerOf(wrapper) : '')
  for (const inner of ['data', 'accounting']) {
    const place = places.get(inner)
    if (place && codeOf(tree, place.node) === OBJECT) add(place.node, pointerOf(place))
  }
  return places
}

/**
 * Finds an object around all members of an item, such as `{"Document": {…}}`. Next to other members, only an object with a document id
 * counts, so that an item without an id does not take its customer's.
 */
function wrapperOf(tree: JsonTree, item: number): Place | undefined {
  if (codeOf(tree, item) !== OBJECT) return undefined
  const members = [...membersOf(tree, item)].map(({ key, value }) => ({ name: stringOf(tree, key), value }))
  if (members.some(({ name }) => ITS_OWN.has(fold(name)))) return undefined
  const wrappers = members.filter(
    ({ value }) =>
      codeOf(tree, value) === OBJECT && (members.length === 1 || hasMember(tree, value, ['documentid'])),
  )
  const [only] = wrappers
  return only && wrappers.length === 1 ? { at: '', name: only.name, node: only.value } : undefined
}

const ITS_OWN: ReadonlySet<string> = new Set(['data', ...Object.values(NAMES).flat()])

/**
 * Text of the accounting projection as an event has it: documented fields under their documented names, digits as in the item. Keeps
 * undocumented fields unless the object also has the item's own values, because those fields may not belong to accounting.
 */
export function accountingText(tree: JsonTree, node: number): string {
  if (codeOf(tree, node) !== OBJECT) return sourceOf(tree, node)
  const members = [...membersOf(tree, node)].map(({ key, value }) => ({ name: stringOf(tree, key), value }))
  const documented = (name: string) => ACCOUNTING_BY_FOLD.get(fold(name))
  const mixed = members.some(({ name }) => ITS_OWN.has(fold(name)) && !documented(name))
  const texts = new Map<string, string>()
  for (const { name, value } of members) {
    const known = documented(name)
    if (known !== undefined || !mixed) texts.set(known ?? name, sourceOf(tree, value))
  }
  return `{${[...texts].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`
}

function hasMember(tree: JsonTree, object: number, names: readonly string[]): boolean {
  for (const { key } of membersOf(tree, object)) if (names.includes(fold(stringOf(tree, key)))) return true
  return false
}

/** Pointers to an item's values (readings, accounting-sync). */
export function mappingOf(tree: JsonTree, item: number, corrections: Corrections = null): ItemMapping {
  const places = placesOf(tree, item)
  const found = (field: MappedField): string | null => {
    const corrected = corrections?.[field]
    if (corrected !== undefined) return corrected
    if (field === 'accounting') return accountingPlace(tree, item, places)?.at ?? null
    const place = placeOf(places, field)
    return place ? pointerOf(place) : null
  }
  return byField(found)
}

function placeOf(places: Places, field: MappedField): Place | undefined {
  for (const name of NAMES[field]) {
    const place = places.get(name)
    if (place) return place
  }
  return undefined
}

/** The member of that name, else the object that has its fields as members. */
function accountingPlace(tree: JsonTree, item: number, places: Places) {
  const named = placeOf(places, 'accounting')
  if (named && codeOf(tree, named.node) !== NULL) return { at: pointerOf(named), node: named.node }
  for (const [folded, { at }] of places) {
    if (!ACCOUNTING_BY_FOLD.has(folded) || ALSO_OF_ITEMS.has(folded)) continue
    const node = resolvePointer(tree, at, item)
    if (node !== undefined) return { at, node }
  }
  return named && { at: pointerOf(named), node: named.node }
}

function valueNode(tree: JsonTree, item: number, corrections: Corrections, field: MappedField) {
  const corrected = corrections?.[field]
  if (corrected === undefined) {
    const places = placesOf(tree, item)
    return field === 'accounting' ? accountingPlace(tree, item, places)?.node : placeOf(places, field)?.node
  }
  return corrected === null ? undefined : resolvePointer(tree, corrected, item)
}

const MAPPED: Readonly<Record<string, MappedField>> = {
  DocumentId: 'documentId',
  Number: 'number',
  StatusId: 'status',
  Accounting: 'accounting',
}

/** Finds an item's values by the field names of an event's data, whatever the item's spelling and nesting. */
export function itemValues(
  tree: JsonTree,
  item: number,
  corrections: Corrections = null,
): (field: string) => number | undefined {
  const places = placesOf(tree, item)
  return (field) => {
    const mapped = MAPPED[field]
    return mapped === undefined ? places.get(fold(field))?.node : valueNode(tree, item, corrections, mapped)
  }
}

export function joinMappings(known: ItemMapping | null, other: ItemMapping): ItemMapping {
  if (!known) return other
  return byField((field) => known[field] ?? other[field])
}

/** Mapping of the first items: later ones fill in values that earlier ones lacked. */
export const mappingOfItems = (
  tree: JsonTree,
  items: readonly number[],
  corrections: Corrections,
  known: ItemMapping | null = null,
): ItemMapping | null =>
  items.slice(0, 20).reduce((all, item) => joinMappings(all, mappingOf(tree, item, corrections)), known)

/** Reads a sync item. Values that cannot be found or read are null, so that no rule relies on them. */
export function readItem(tree: JsonTree, item: number, reading: ItemReading = AS_FOUND): RemoteDocument {
  const node = (field: MappedField): number | undefined => {
    const found = valueNode(tree, item, reading.corrections, field)
    return found === undefined || codeOf(tree, found) === NULL ? undefined : found
  }
  const documentId = textAt(tree, node('documentId'))
  const issuedAt = textAt(tree, node('issuedAt'))
  return {
    documentId,
    documentKey: documentId === null ? null : keyOfId(documentId),
    number: textAt(tree, node('number')),
    issuedAt: issuedAt === null ? null : (readDate(issuedAt, reading.zone)?.instant ?? null),
    documentType: integerAt(tree, node('documentType')),
    statusId: integerAt(tree, node('status')),
    voided: flagAt(tree, node('voided')),
    accounting: accountingOf(tree, node('accounting')),
  }
}

function keyOfId(id: string): string {
  const lower = id.toLowerCase()
  const parts = /^\{?([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12})\}?$/.exec(lower)
  return parts ? parts.slice(1).join('-') : lower
}

/** Issue date to continue paging from, with its precision in microseconds: `2026-10-05` is a whole day. */
export function issuedOf(tree: JsonTree, item: number, { corrections, zone }: ItemReading) {
  const text = textAt(tree, valueNode(tree, item, corrections, 'issuedAt'))
  const read = text === null ? null : readDate(text, zone)
  if (text === null || !read) return null
  return { ...read, text: read.full ? text : zonedText(zone, read.instant) }
}

export function accountingOf(
  tree: JsonTree,
  object: number | undefined,
): ReadonlyMap<string, CanonicalValue> {
  const values = new Map<string, CanonicalValue>()
  if (object === undefined) return values
  for (const { key, value } of membersOf(tree, object)) {
    const name = ACCOUNTING_BY_FOLD.get(fold(stringOf(tree, key)))
    if (name !== undefined) values.set(name, canonical(tree, value, name))
  }
  return values
}

function textAt(tree: JsonTree, node: number | undefined): string | null {
  if (node === undefined) return null
  const code = codeOf(tree, node)
  if (code === STRING) return stringOf(tree, node)
  return code === NUMBER ? sourceOf(tree, node) : null
}

/** Accepts `31`, and `"31"` or `"E31"`, which other projections might send. */
function integerAt(tree: JsonTree, node: number | undefined): number | null {
  const text = textAt(tree, node)
  if (text === null) return null
  const decimal = parseDecimal(text.replace(/^[Ee](?=\d)/, ''))
  return (decimal && toSafeInteger(decimal)) ?? null
}

/** Reads a flag, or a date of voiding, whose presence means true. */
function flagAt(tree: JsonTree, node: number | undefined): boolean | null {
  if (node === undefined) return null
  const code = codeOf(tree, node)
  if (code === STRING || code === NUMBER) return !['', '0', 'false'].includes(textAt(tree, node) ?? '')
  if (code === OBJECT) return null
  return code === TRUE
}
