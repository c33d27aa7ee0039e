import type { Kind } from '#catalog/kinds.ts'

/** JSON types as far as a receiver's code tells them apart. `integer`: digits only; `5.0` and `1e3` are decimals. */
export const SHAPE_TYPES = ['string', 'integer', 'decimal', 'boolean', 'null', 'object', 'array'] as const
export type ShapeType = (typeof SHAPE_TYPES)[number]

/**
 * What a text looks like. `instant` has an offset, `date-time` has none; `money`: digits with a sign, a point or thousands; `text` is
 * everything else.
 */
export const STRING_FORMATS = [
  'uuid',
  'instant',
  'date-time',
  'date',
  'email',
  'digits',
  'money',
  'empty',
  'text',
] as const
export type StringFormat = (typeof STRING_FORMATS)[number]

export interface Shape {
  readonly type: ShapeType
  /** Of a string; null for every other type. */
  readonly format: StringFormat | null
}

/**
 * What differs from everything observed before (readings, "Three kinds of knowledge"; it never changes a verdict). `new-field`: neither
 * documented nor seen; `type-changed`, `format-changed`: never seen in that field; `now-null`: never null before; `gone`: always came.
 */
export const DRIFT_CODES = ['new-field', 'type-changed', 'format-changed', 'now-null', 'gone'] as const
export type DriftCode = (typeof DRIFT_CODES)[number]

/** One thing that a delivery showed first. */
export interface DriftFact {
  readonly code: DriftCode
  /** Where it stands in that delivery (RFC 6901); of `gone`, where it would. */
  readonly pointer: string
  /** The same with `*` for every place in a list, and for names that are ids or dates. */
  readonly place: string
  /** Seen there before; of a new field nothing. */
  readonly was: readonly Shape[]
  /** What came; null when nothing did. */
  readonly now: Shape | null
  /** Deliveries that had shown the field before; for a new field, the object it lies in. */
  readonly seen: number
  /** Arrival of the first of those, microseconds since the epoch. */
  readonly since: number
}

export interface DriftEvent extends DriftFact {
  readonly kind: Kind
  /** Null when it is no longer stored. */
  readonly deliveryId: number | null
  /** Its arrival, microseconds since the epoch. */
  readonly at: number
}

/** When something was seen, in microseconds since the epoch, and by which delivery: null when that is no longer stored. */
export interface Sighting {
  /** Deliveries, not occurrences: a field of every line counts once for each delivery. */
  readonly n: number
  readonly firstAt: number
  readonly firstId: number | null
  readonly lastAt: number
  readonly lastId: number | null
}

export interface ObservedField extends Sighting {
  /** With `*` for every place in a list. */
  readonly place: string
  readonly documented: boolean
  /** Deliveries in which the object or list around it came; `n` of them showed it. */
  readonly of: number
  readonly shapes: readonly (Shape & Sighting)[]
  /** JSON source as sent, for fields that the catalogue knows as codes, and for true and false; empty where none are kept. */
  readonly values: readonly (Sighting & { readonly value: string })[]
  /** There were too many values, or too long ones, to keep any. */
  readonly manyValues: boolean
  /** Arrival of the first delivery that lacked it after it had been seen. */
  readonly absentSince: number | null
}

/** What was ever observed of one kind. */
export interface DriftProfile {
  readonly kind: Kind
  /** Deliveries that taught; what is deleted later still counts. */
  readonly deliveries: number
  readonly learning: boolean
  readonly firstAt: number | null
  readonly lastAt: number | null
  readonly fields: readonly ObservedField[]
  /** Deliveries with something that the profile had no room for, or that lay too deep. */
  readonly unrecorded: number
}

export interface DriftKind {
  readonly kind: Kind
  readonly deliveries: number
  readonly learning: boolean
  /** Deliveries until it has learned its fields; 0 when it has. */
  readonly missing: number
  readonly fields: number
  readonly undocumented: number
  readonly events: number
  /** Of them, those by deliveries that arrived after the instant asked for. */
  readonly fresh: number
  readonly lastEventAt: number | null
  readonly unrecorded: number
}

/** Deliveries that a place is learned from, before anything seen there is drift. */
export const LEARNING_DELIVERIES = 20
/** Deliveries in which a field always came, before its absence is drift. */
export const STEADY_DELIVERIES = 50
/** Places, types and formats kept of a kind. */
export const SHAPES_KEPT = 2_000
/** Different values kept of a field, and the longest. */
export const VALUES_KEPT = 32
export const VALUE_LENGTH = 40
/** Facts kept of one delivery. */
export const FACTS_KEPT = 50
