import { LISTED_VALUE_FIELDS } from '#catalog/fields.ts'
import type { Kind } from '#catalog/kinds.ts'
import type { ShapeType, StringFormat } from '#contract/drift.ts'
import { SHAPES_KEPT, VALUE_LENGTH, VALUES_KEPT } from '#contract/values.ts'
import { lastName, pointerToken } from '../json/pointer.ts'
import { isDocumented } from './documented.ts'
import { FORMS, formOf } from './forms.ts'

/** What the deliveries of a slot had in common: the place, a type or value there, its absence, or too many values. */
export type SlotType = ShapeType | 'place' | 'absent' | 'value' | 'many'

export interface Slot {
  readonly slot: number
  readonly place: string
  readonly type: SlotType
  readonly format: StringFormat | null
  readonly value: string | null
  readonly firstId: number
  readonly firstAt: number
}

/** Three numbers per slot: deliveries, id of the last one, its arrival. */
export type PackedCounts = Float64Array
export const COUNT_CELLS = 3

export interface ProfileChanges {
  readonly added: readonly Slot[]
  readonly removed: readonly number[]
  readonly counts: PackedCounts
  readonly unrecorded: number
}

/** Member names that are data: ids, numbers, dates. */
const DYNAMIC = /^(?:\d+|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|\d{4}-\d\d-\d\d(?:T.*)?)$/i
const NAME_LENGTH = 128
const DEEPEST = 12
const ANY = '*'

/** What was observed of a kind. Counts do not depend on the order of deliveries; SHAPES_KEPT and VALUES_KEPT limit its size. */
export class KindProfile {
  readonly kind: Kind
  readonly root: Place
  /** Deliveries with something that did not fit. */
  unrecorded = 0
  /** Deliveries by slot; slots of places are only updated from `Place.seen` when changes are taken. */
  readonly #n: number[] = []
  readonly #stamps: number[] = []
  readonly #last: number[] = []
  readonly #lastAt: number[] = []
  readonly #places: Place[] = []
  readonly #removed: number[] = []
  #added = new Map<number, Slot>()
  #shapes = 0
  #stamp = 0
  /** Deliveries since the last `takeChanges`; the first of them has the stamp `#base`. */
  #ids: number[] = []
  #ats: number[] = []
  #base = 1
  #unrecordedAt = 0

  /** @param slots in the order in which `takeChanges` returned them, as `counts` */
  constructor(
    kind: Kind,
    slots: Iterable<Slot> = [],
    counts: PackedCounts = new Float64Array(),
    unrecorded = 0,
  ) {
    this.kind = kind
    this.unrecorded = unrecorded
    for (let at = 0; at + 2 < counts.length; at += COUNT_CELLS) {
      this.#n.push(counts[at] ?? 0)
      this.#last.push(counts[at + 1] ?? 0)
      this.#lastAt.push(counts[at + 2] ?? 0)
      this.#stamps.push(0)
    }
    const places = new Map<string, Place>()
    let root: Place | undefined
    for (const slot of slots) {
      if (slot.type !== 'place') this.#restore(places.get(slot.place), slot)
      else if (slot.place === '') {
        root = this.#place(undefined, '', slot.slot, slot.firstAt)
        places.set('', root)
      } else {
        const parent = places.get(slot.place.slice(0, slot.place.lastIndexOf('/')))
        if (parent) places.set(slot.place, this.#place(parent, lastName(slot.place), slot.slot, slot.firstAt))
      }
    }
    this.root = root ?? this.#place(undefined, '', 0, 0)
    for (const place of this.#places)
      if (place.single >= 0 && this.#n[place.forms[place.single] ?? NONE] !== place.seen)
        place.single = SEVERAL
  }

  get deliveries(): number {
    return this.root.seen
  }

  begin(id: number, at: number): void {
    this.#stamp++
    this.#ids.push(id)
    this.#ats.push(at)
    if (this.#n.length === 0) {
      this.#slot('', 'place', null, null)
      this.root.firstAt = at
    }
  }

  get stamp(): number {
    return this.#stamp
  }

  /** Counts the present delivery once per slot. @returns whether it was not yet counted */
  hit(slot: number): boolean {
    if (this.#stamps[slot] === this.#stamp) return false
    this.#stamps[slot] = this.#stamp
    this.#n[slot] = (this.#n[slot] ?? 0) + 1
    return true
  }

  hitPlace(place: Place): boolean {
    if (place.stamp === this.#stamp) return false
    place.stamp = this.#stamp
    place.seen++
    return true
  }

  member(parent: Place, name: string): Place | undefined {
    if (name === ANY || DYNAMIC.test(name)) return this.items(parent)
    return parent.byName.get(name) ?? this.#newPlace(parent, name)
  }

  /** The elements of a list, or members whose names are data. */
  items(parent: Place): Place | undefined {
    return parent.items ?? this.#newPlace(parent, ANY)
  }

  /** Counts a form that is not the only one of its place. Call it before the place itself is counted. */
  hitForm(place: Place, form: number): void {
    const shape = FORMS[form]
    let slot = place.forms[form] ?? NONE
    if (slot < 0 && shape && this.#room()) {
      slot = this.#slot(place.pointer, shape.type, shape.format, null)
      place.forms[form] = slot
      this.#shapes++
      if (place.single === NONE && place.seen === 0) {
        place.single = form
        return
      }
    }
    this.#part(place)
    if (slot >= 0) this.hit(slot)
  }

  formCount(place: Place, form: number): number {
    return place.single === form ? place.seen : (this.#n[place.forms[form] ?? NONE] ?? 0)
  }

  addAbsent(place: Place): void {
    place.absent = this.#slot(place.pointer, 'absent', null, null)
    this.hit(place.absent)
  }

  value(place: Place, text: string, start: number, end: number): void {
    if (place.many >= 0) return
    const known = place.lastSource
    if (known.length === end - start && known !== '' && text.startsWith(known, start)) {
      this.hit(place.lastValue)
      return
    }
    // The limit applies without the quotes.
    const source = end - start > VALUE_LENGTH + 2 ? undefined : text.slice(start, end)
    let slot = source === undefined ? undefined : place.values.get(source)
    if (slot === undefined) {
      if (source === undefined || place.values.size >= VALUES_KEPT) {
        this.#close(place)
        return
      }
      slot = this.#slot(place.pointer, 'value', null, source)
      place.values.set(source, slot)
    }
    place.lastSource = source ?? ''
    place.lastValue = slot
    this.hit(slot)
  }

  overflow(): void {
    if (this.#unrecordedAt === this.#stamp) return
    this.#unrecordedAt = this.#stamp
    this.unrecorded++
  }

  takeChanges(): ProfileChanges | undefined {
    if (this.#ids.length === 0) return undefined
    for (const place of this.#places) {
      this.#n[place.slot] = place.seen
      this.#stamps[place.slot] = place.stamp
      if (place.single >= 0) this.#copy(place, place.forms[place.single] ?? NONE)
    }
    const counts = new Float64Array(this.#n.length * COUNT_CELLS)
    for (let slot = 0; slot < this.#n.length; slot++) {
      const batch = (this.#stamps[slot] ?? 0) - this.#base
      if (batch >= 0) {
        // Deliveries salvaged from a set-aside database are older than those seen since.
        this.#last[slot] = Math.max(this.#last[slot] ?? 0, this.#ids[batch] ?? 0)
        this.#lastAt[slot] = Math.max(this.#lastAt[slot] ?? 0, this.#ats[batch] ?? 0)
      }
      counts[slot * COUNT_CELLS] = this.#n[slot] ?? 0
      counts[slot * COUNT_CELLS + 1] = this.#last[slot] ?? 0
      counts[slot * COUNT_CELLS + 2] = this.#lastAt[slot] ?? 0
    }
    const added = [...this.#added.values()]
    const removed = this.#removed.splice(0)
    this.#added = new Map()
    this.#ids = []
    this.#ats = []
    this.#base = this.#stamp + 1
    return { added, removed, counts, unrecorded: this.unrecorded }
  }

  /** Gives the place separate counts per form from now on. */
  #part(place: Place): void {
    if (place.single >= 0) this.#copy(place, place.forms[place.single] ?? NONE)
    place.single = SEVERAL
  }

  #copy(from: Place, to: number): void {
    this.#n[to] = from.seen
    this.#stamps[to] = from.stamp
    this.#last[to] = this.#last[from.slot] ?? 0
    this.#lastAt[to] = this.#lastAt[from.slot] ?? 0
  }

  #newPlace(parent: Place, name: string): Place | undefined {
    if (parent.depth >= DEEPEST || name.length > NAME_LENGTH || !this.#room()) return undefined
    const pointer = `${parent.pointer}/${pointerToken(name)}`
    const slot = this.#slot(pointer, 'place', null, null)
    return this.#place(parent, name, slot, this.#ats.at(-1) ?? 0)
  }

  #place(parent: Place | undefined, name: string, slot: number, firstAt: number): Place {
    const pointer = parent ? `${parent.pointer}/${pointerToken(name)}` : ''
    const documented = isDocumented(this.kind, pointer)
    const listed = documented && LISTED_VALUE_FIELDS.has(name)
    const [depth, index] = parent ? [parent.depth + 1, parent.members.length] : [0, 0]
    const place = new Place({ pointer, name, depth, slot, index, documented, listed, firstAt })
    if (parent && name === ANY) parent.items = place
    else if (parent) {
      parent.members.push(place)
      parent.byName.set(name, place)
    }
    place.seen = this.#n[slot] ?? 0
    this.#places.push(place)
    this.#shapes++
    return place
  }

  #restore(place: Place | undefined, { type, format, slot, value }: Slot): void {
    if (!place) return
    if (type === 'absent') place.absent = slot
    else if (type === 'many') place.many = slot
    else if (type === 'value') place.values.set(value ?? '', slot)
    else {
      const form = formOf(type, format)
      if (form < 0) return
      place.forms[form] = slot
      place.single = place.single === NONE ? form : SEVERAL
      this.#shapes++
    }
  }

  #room(): boolean {
    if (this.#shapes < SHAPES_KEPT) return true
    this.overflow()
    return false
  }

  #slot(place: string, type: SlotType, format: StringFormat | null, value: string | null): number {
    const slot = this.#n.length
    this.#n.push(0)
    this.#stamps.push(0)
    this.#last.push(0)
    this.#lastAt.push(0)
    const [firstId = 0, firstAt = 0] = [this.#ids.at(-1), this.#ats.at(-1)]
    this.#added.set(slot, { slot, place, type, format, value, firstId, firstAt })
    return slot
  }

  #close(place: Place): void {
    for (const slot of place.values.values()) if (!this.#added.delete(slot)) this.#removed.push(slot)
    place.values.clear()
    place.lastSource = ''
    place.many = this.#slot(place.pointer, 'many', null, null)
    this.hit(place.many)
  }
}

export const NONE = -1
const SEVERAL = -2

/** A place in the events of a kind. `forms` and the like hold slots of the profile's counts, -1 for never seen. */
export class Place {
  // Fields read for every delivery come first, to be adjacent in memory.
  readonly name: string
  /** The only form seen so far, which shares the place's counts; NONE before the first, SEVERAL after the second. */
  single: number = NONE
  seen = 0
  stamp = 0
  readonly pointer: string
  readonly depth: number
  readonly slot: number
  readonly index: number
  readonly documented: boolean
  /** Its values may be stored (catalog/fields.ts). */
  readonly listed: boolean
  firstAt: number
  readonly forms: number[] = new Array(FORMS.length).fill(-1)
  /** In the order first seen, which most senders keep. */
  readonly members: Place[] = []
  readonly byName = new Map<string, Place>()
  /** Elements of a list, and members whose names are ids. */
  items: Place | undefined
  /** Slot of the first delivery without the field after it had been seen. */
  absent = -1
  readonly values = new Map<string, number>()
  /** Slot that is set when values were too many or too long to store. */
  many = -1
  /** The previous value: most values repeat. */
  lastSource = ''
  lastValue = -1
  /** Of the last delivery with an object here: its stamp, the number of members it showed, and its node. */
  met = 0
  shown = 0
  node = 0

  constructor(
    of: Pick<Place, 'pointer' | 'name' | 'depth' | 'slot' | 'index' | 'documented' | 'listed' | 'firstAt'>,
  ) {
    this.pointer = of.pointer
    this.name = of.name
    this.depth = of.depth
    this.slot = of.slot
    this.index = of.index
    this.documented = of.documented
    this.listed = of.listed
    this.firstAt = of.firstAt
  }
}
