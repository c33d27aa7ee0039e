import type { DriftProfile, ObservedField } from '#contract/drift.ts'
import { shapeWord } from '#core/drift/report.ts'
import { lastName } from '#core/json/pointer.ts'
import { DIALECT, type Json, jsonText, type Schema } from './json-schema.ts'

const NOTE =
  'An observation in captured deliveries, not a rule of the service: a delivery that does not fit may be right.'

/**
 * JSON Schema of what the captured deliveries of a kind showed: types, formats, values, and as mandatory the members that were never absent
 * (readings, Three kinds of knowledge).
 */
function observedSchema(profile: DriftProfile): Schema {
  const { kind, deliveries, firstAt, lastAt, learning, unrecorded, fields } = profile
  const told = [
    `Deliveries: ${deliveries}`,
    ...(firstAt === null || lastAt === null ? [] : [`${iso(firstAt)} to ${iso(lastAt)}`]),
    ...(learning ? ['still learning'] : []),
    ...(unrecorded > 0 ? [`${unrecorded} had more than the profile can hold`] : []),
  ]
  const children = Map.groupBy(fields, ({ place }) => place.slice(0, place.lastIndexOf('/')))
  return {
    $schema: DIALECT,
    $id: `urn:acuse:observed:${kind}`,
    $comment: `${NOTE} The documented rules are urn:acuse:event:${kind}.`,
    title: `Observed: ${kind}`,
    description: `${told.join('; ')}.`,
    type: 'object',
    ...membersOf('', children, true),
  }
}

/** Several kinds as one schema, which fits what any of them showed. */
const observedSchemas = (profiles: readonly DriftProfile[]): Schema => ({
  $schema: DIALECT,
  $id: 'urn:acuse:observed',
  $comment: NOTE,
  title: 'Observed',
  anyOf: profiles.map(({ kind }) => ({ $ref: `urn:acuse:observed:${kind}` })),
  $defs: Object.fromEntries(profiles.map((profile) => [profile.kind, observedSchema(profile)])),
})

/** @param single whether the one kind was asked for; otherwise the schema fits any of the kinds */
export function observedText(profiles: readonly DriftProfile[], single: boolean): string {
  const [only] = profiles
  return jsonText(single && only ? observedSchema(only) : observedSchemas(profiles))
}

type Children = ReadonlyMap<string, readonly ObservedField[]>
/** Stands in a place for every list index, and for names that are data. */
const ANY = '*'

/** @param inObject whether the place can be an object; in a list, a member counts once per delivery, so it may be absent in some items */
function membersOf(
  place: string,
  children: Children,
  inObject: boolean,
): { readonly [keyword: string]: Json } {
  const inside = children.get(place) ?? []
  const any = inside.find((one) => lastName(one.place) === ANY)
  const members = inObject ? inside.filter((one) => one !== any) : []
  const required = place.includes(`/${ANY}`) ? [] : members.filter(({ n, of }) => n === of)
  return {
    ...(members.length > 0 && {
      properties: Object.fromEntries(members.map((one) => [lastName(one.place), fieldSchema(one, children)])),
    }),
    ...(required.length > 0 && { required: required.map((one) => lastName(one.place)) }),
    ...(any && inObject && { additionalProperties: fieldSchema(any, children) }),
  }
}

function fieldSchema(field: ObservedField, children: Children): Schema {
  const { place, n, of, shapes, values, documented } = field
  const types = new Set(shapes.map(({ type }) => (type === 'decimal' ? 'number' : type)))
  if (types.has('number')) types.delete('integer')
  const items = types.has('array') && children.get(place)?.find((one) => lastName(one.place) === ANY)
  const told = [
    `Observed in ${n} of ${of}: ${shapes.map((shape) => shapeWord(shape, 'en')).join(', ')}.`,
    ...(documented ? [] : ['Not documented.']),
  ]
  return {
    description: told.join(' '),
    ...(types.size > 0 && { type: [...types] }),
    ...(shapes.length > 0 && shapes.every(({ format }) => format === 'uuid') && { format: 'uuid' }),
    ...(values.length > 0 && { examples: values.map(({ value }): Json => JSON.parse(value)) }),
    ...(items && { items: fieldSchema(items, children) }),
    ...membersOf(place, children, types.has('object')),
  }
}

const iso = (us: number): string => new Date(us / 1_000).toISOString()
