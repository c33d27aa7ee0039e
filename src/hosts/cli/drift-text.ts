import type { DriftEvent, DriftKind, DriftProfile, ObservedField } from '#contract/drift.ts'
import { factWords, shapeWord } from '#core/drift/words.ts'
import { local } from './records.ts'
import { visible } from './visible.ts'

/** Values told of a field on one line. */
const VALUES = 8

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

export function kindLine(one: DriftKind): string {
  const facts = [
    `${one.deliveries} ${one.deliveries === 1 ? 'delivery' : 'deliveries'}`.padStart(16),
    count(one.fields, 'field'),
    ...(one.undocumented === 0 ? [] : [`${one.undocumented} not documented`]),
    one.learning ? `learning, ${one.missing} to go` : count(one.events, 'thing').concat(' first seen'),
    ...(one.lastEventAt === null ? [] : [`last ${local(one.lastEventAt)}`]),
  ]
  return `${one.kind.padEnd(26)}${facts.join(', ')}\n`
}

/** A line for each place of a profile, after one about the whole. */
export function profileText(profile: DriftProfile): string {
  const { kind, deliveries, fields, learning, unrecorded, firstAt } = profile
  const head = [
    `${kind}: ${deliveries} deliveries`,
    ...(firstAt === null ? [] : [`since ${local(firstAt)}`]),
    ...(learning ? ['still learning'] : []),
    ...(unrecorded === 0 ? [] : [`${unrecorded} held more than there is room for`]),
  ]
  return `${head.join(', ')}\n${fields.map(fieldLine).join('')}`
}

function fieldLine(field: ObservedField): string {
  const { place, n, of, shapes, values, documented, manyValues } = field
  const words = shapes.map((shape) => `${shapeWord(shape, 'en')}${shape.n === n ? '' : ` (${shape.n})`}`)
  const told = values.slice(0, VALUES).map(({ value, n: times }) => `${value} ×${times}`)
  if (values.length > VALUES) told.push(`${values.length - VALUES} more`)
  const rest = [
    words.join(', '),
    `${n} of ${of}`,
    ...(told.length > 0 ? [told.join(' ')] : []),
    ...(manyValues ? ['too many values to keep'] : []),
    ...(documented ? [] : ['not documented']),
  ]
  return `${visible(place).padEnd(44)} ${visible(rest.join('; '))}\n`
}

export function eventLine(event: DriftEvent): string {
  const { at, deliveryId, kind, pointer } = event
  const by = deliveryId === null ? 'no longer stored' : String(deliveryId)
  return visible(`${local(at)}  ${by.padStart(8)}  ${kind}  ${pointer}: ${factWords(event, 'en')}`).concat(
    '\n',
  )
}
