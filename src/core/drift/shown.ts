import type { Kind } from '#catalog/kinds.ts'
import type { ObservedField, Shape, Sighting } from '#contract/drift.ts'
import { LEARNING_DELIVERIES } from '#contract/values.ts'
import { isDocumented } from './documented.ts'
import { COUNT_CELLS, type PackedCounts, type Slot } from './profile.ts'

interface Gathered {
  readonly place: Slot
  readonly forms: Slot[]
  readonly values: Slot[]
  readonly children: string[]
  absent?: Slot
  many: boolean
}

/** Lists the fields as a tree, in the order first seen, without the root. */
export function profileOf(kind: Kind, slots: Iterable<Slot>, counts: PackedCounts, unrecorded: number) {
  const sighting = ({ slot, firstId, firstAt }: Slot): Sighting => ({
    n: counts[slot * COUNT_CELLS] ?? 0,
    firstAt,
    firstId,
    lastAt: counts[slot * COUNT_CELLS + 2] ?? 0,
    lastId: counts[slot * COUNT_CELLS + 1] ?? 0,
  })
  const places = gather(slots)
  const fields: ObservedField[] = []
  const open = ['']
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const known = places.get(place)
    if (!known) continue
    open.push(...known.children.toReversed())
    if (place === '') continue
    const around = places.get(parentOf(place))
    fields.push({
      ...sighting(known.place),
      place,
      documented: isDocumented(kind, place),
      of: around ? sighting(containerOf(around, place)).n : 0,
      shapes: known.forms.map((slot) => ({ ...sighting(slot), ...shapeOf(slot) })).sort(byCount),
      values: known.values.map((slot) => ({ ...sighting(slot), value: slot.value ?? '' })).sort(byCount),
      manyValues: known.many,
      absentSince: known.absent?.firstAt ?? null,
    })
  }
  const root = places.get('')
  const all = root && sighting(root.place)
  return {
    kind,
    deliveries: all?.n ?? 0,
    learning: (all?.n ?? 0) < LEARNING_DELIVERIES,
    firstAt: all?.firstAt ?? null,
    lastAt: all?.lastAt ?? null,
    fields,
    unrecorded,
  }
}

function gather(slots: Iterable<Slot>): ReadonlyMap<string, Gathered> {
  const places = new Map<string, Gathered>()
  for (const slot of slots) {
    if (slot.type === 'place') {
      places.set(slot.place, { place: slot, forms: [], values: [], children: [], many: false })
      if (slot.place !== '') places.get(parentOf(slot.place))?.children.push(slot.place)
      continue
    }
    const known = places.get(slot.place)
    if (!known) continue
    if (slot.type === 'absent') known.absent = slot
    else if (slot.type === 'many') known.many = true
    else if (slot.type === 'value') known.values.push(slot)
    else known.forms.push(slot)
  }
  return places
}

const parentOf = (place: string): string => place.slice(0, place.lastIndexOf('/'))

/** The slot that counts the deliveries which could have shown a place: the object around a field, the list around its items. */
function containerOf(around: Gathered, place: string): Slot {
  const of = (wanted: string): Slot | undefined => around.forms.find(({ type }) => type === wanted)
  return (place.endsWith('/*') ? of('array') : undefined) ?? of('object') ?? around.place
}

const shapeOf = ({ type, format }: Slot): Shape => ({
  type: type === 'place' || type === 'absent' || type === 'value' || type === 'many' ? 'null' : type,
  format,
})

const byCount = (a: Sighting, b: Sighting): number => b.n - a.n || a.firstAt - b.firstAt
