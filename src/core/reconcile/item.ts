import { ACCOUNTING_FIELDS } from '#catalog/fields.ts'
import type { ItemMapping, MappedField } from '#contract/connection.ts'
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
import { canonical } from './fingerprint.ts'
import type { CanonicalValue, RemoteDocument } from './types.ts'

/** Pointers, relative to the item, that a person has set; a null one says that there is none. */
export type Corrections = Partial<ItemMapping> | null

export interface ItemReading {
  readonly corrections: Corrections
  /** IANA name: dates without an offset are local there. */
  readonly zone: string
}

export const AS_FOUND: ItemReading = { corrections: null, zone: DEFAULT_CONNECTION.zone }

/** Names of each value, folded: the documented one first. The item's shape is not shown (Endpoints, accounting-sync). */
const NAMES: Readonly<Record<MappedField, readonly string[]>> = {
  documentId: ['documentid', 'id'],
  number: ['number'],
  issuedAt: ['issuedat'],
  documentType: ['documenttypeid'],
  status: ['statusid'],
  voided: ['isanulated', 'anulated', 'isvoided', 'voided'],
  accounting: ['accounting'],
}
const FIELDS = Object.keys(NAMES) as readonly MappedField[]
const byField = (pointer: (field: MappedField) => string | null): ItemMapping =>
  Object.fromEntries(FIELDS.map((field) => [field, pointer(field)])) as Record<MappedField, string | null>

/** Names come again with every item; a service that never repeats one fills no more than this. */
const NAMES_KEPT = 1_000
const FOLDED = new Map<string, string>()

const ACCOUNTING_BY_FOLD: ReadonlyMap<string, string> = new Map(
  [...ACCOUNTING_FIELDS.keys()].map((name) => [fold(name), name]),
)

/** Case and the separators of other spellings count for nothing: `document_id` is `DocumentId`. */
function fold(name: string): string {
  let folded = FOLDED.get(name)
  if (folded === undefined) {
    folded = name.replace(/[_-]/g, '').toLowerCase()
    if (FOLDED.size < NAMES_KEPT) FOLDED.set(name, folded)
  }
  return folded
}

/** Fields that an item without an accounting projection has as well: of themselves they do not tell where one stands. */
const ALSO_OF_ITEMS: ReadonlySet<string> = new Set(['documenttypeid', 'sequencetypeid', 'issuedat'])

interface Place {
  readonly at: string
  readonly name: string
  readonly node: number
}
type Places = ReadonlyMap<string, Place>

const pointerOf = ({ at, name }: Place): string => `${at}/${pointerToken(name)}`

/** All that is read of an item is asked for in one go. */
let last: { readonly tree: JsonTree; readonly item: number; readonly places: Places } | undefined

/**
 * Members by folded name: the item's own, then those inside `data`, then those inside `Accounting`; the first of a name counts, of the very
 * same name the last. A wrapper around the item is looked through. Without `Accounting`, its fields stand flat on an object, which takes
 * its place.
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
 * The one object around an item's members, as in `{"Document": {…}}`. Beside other members only an object that names a document counts: an
 * item without an id must not take its customer's.
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
 * The accounting projection as an event carries it: documented fields under their documented names, with the digits of the item. Fields
 * that are not documented stay, unless the object also holds the item's own values: then nothing tells which of them are accounting.
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

/** Where an item's values are found (readings, accounting-sync). */
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

/** The member of that name, else the object on which its fields stand flat. */
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

/** Finds an item's values by the names of an event's data, whatever the item's spelling and nesting. */
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

/** What the first items showed: a later one fills what an earlier one lacked. */
export const mappingOfItems = (
  tree: JsonTree,
  items: readonly number[],
  corrections: Corrections,
  known: ItemMapping | null = null,
): ItemMapping | null =>
  items.slice(0, 20).reduce((all, item) => joinMappings(all, mappingOf(tree, item, corrections)), known)

/** A sync item as a document. What cannot be found or read is null: no rule may lean on it. */
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

/** The issue date as paging asks from it, and how many microseconds it stands for: `2026-10-05` is a whole day. */
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

/** `31`, and `"31"` or `"E31"`, which other projections might send. */
function integerAt(tree: JsonTree, node: number | undefined): number | null {
  const text = textAt(tree, node)
  if (text === null) return null
  const decimal = parseDecimal(text.replace(/^[Ee](?=\d)/, ''))
  return (decimal && toSafeInteger(decimal)) ?? null
}

/** A flag, or a date of voiding, which says yes by being there. */
function flagAt(tree: JsonTree, node: number | undefined): boolean | null {
  if (node === undefined) return null
  const code = codeOf(tree, node)
  if (code === STRING || code === NUMBER) return !['', '0', 'false'].includes(textAt(tree, node) ?? '')
  if (code === OBJECT) return null
  return code === TRUE
}
