import { z } from 'zod'
import { count, defineCommand, defineQuery, id, kind, limit, micros, type Of } from './params.ts'
import { DRIFT_CODES, SHAPE_TYPES, STRING_FORMATS } from './values.ts'

const shape = z.strictObject({
  type: z.enum(SHAPE_TYPES),
  /** Format of a string; null for every other type. */
  format: z.enum(STRING_FORMATS).nullable(),
})
export type Shape = Of<typeof shape>
export type ShapeType = Shape['type']
export type StringFormat = (typeof STRING_FORMATS)[number]

/** Something that no earlier delivery of the kind had shown. */
export const driftFact = z.strictObject({
  code: z.enum(DRIFT_CODES),
  /** RFC 6901 pointer into that delivery; for `gone`, where the field would have been. */
  pointer: z.string(),
  /** The pointer with `*` for every list index, and for names that are ids or dates. */
  place: z.string(),
  /** Shapes seen earlier at this place; empty for a new field. */
  was: z.array(shape),
  /** Shape in this delivery; null for `gone`. */
  now: shape.nullable(),
  /** Number of earlier deliveries with the field; for a new field, with the object around it. */
  seen: count,
  /** Arrival of the first of those deliveries, microseconds since the epoch. */
  since: micros,
})
export type DriftFact = Of<typeof driftFact>

const driftEvent = driftFact.extend({
  kind,
  /** Null when the delivery is no longer stored. */
  deliveryId: id.nullable(),
  at: micros,
})
export type DriftEvent = Of<typeof driftEvent>

/** First and last time that something was seen, microseconds since the epoch, and in which delivery (null when no longer stored). */
const sighting = z.strictObject({
  /** Number of deliveries, not occurrences: a field in every line counts once per delivery. */
  n: count,
  firstAt: micros,
  firstId: id.nullable(),
  lastAt: micros,
  lastId: id.nullable(),
})
export type Sighting = Of<typeof sighting>

const observedField = sighting.extend({
  /** With `*` for every list index. */
  place: z.string(),
  documented: z.boolean(),
  /** Number of deliveries with the object or list around the field; `n` of them had the field. */
  of: count,
  shapes: z.array(sighting.extend(shape.shape)),
  /** JSON source as sent, only for booleans and for fields that the catalogue knows as codes; otherwise empty. */
  values: z.array(sighting.extend({ value: z.string() })),
  /** True when the values were too many or too long to keep. */
  manyValues: z.boolean(),
  /** Arrival of the first delivery without the field after it had been seen. */
  absentSince: micros.nullable(),
})
export type ObservedField = Of<typeof observedField>

const driftProfile = z.strictObject({
  kind,
  /** Number of deliveries observed; deleted ones still count. */
  deliveries: count,
  learning: z.boolean(),
  firstAt: micros.nullable(),
  lastAt: micros.nullable(),
  fields: z.array(observedField),
  /** Number of deliveries that exceeded the profile's capacity or depth. */
  unrecorded: count,
})
export type DriftProfile = Of<typeof driftProfile>

const driftKind = z.strictObject({
  kind,
  deliveries: count,
  learning: z.boolean(),
  /** Deliveries still needed before the kind counts as learned; 0 when it is. */
  missing: count,
  fields: count,
  undocumented: count,
  events: count,
  /** Events of deliveries that arrived after `since`. */
  fresh: count,
  lastEventAt: micros.nullable(),
  unrecorded: count,
})
export type DriftKind = Of<typeof driftKind>

const eventsParams = z.strictObject({
  kind: kind.exactOptional(),
  /** 0 is the newest. */
  from: count,
  limit,
})
const driftEvents = z.strictObject({ events: z.array(driftEvent), from: count, total: count })
export type DriftEvents = Of<typeof driftEvents>

export const driftCommands = {
  'drift.list': defineQuery(
    'Kinds of which anything was observed, in the order of the catalogue. `since` in microseconds since the epoch.',
    z.strictObject({ since: count.exactOptional() }),
    z.strictObject({ kinds: z.array(driftKind) }),
  ),
  'drift.profile': defineQuery(
    'Everything observed of a kind; empty when no delivery of it arrived.',
    z.strictObject({ kind }),
    driftProfile,
  ),
  'drift.events': defineQuery('First observations, newest first.', eventsParams, driftEvents),
  'drift.reset': defineCommand(
    'Forgets what was observed of a kind, or of all. Later deliveries build a new profile; stored ones lose only their mark.',
    z.strictObject({ kind: kind.exactOptional() }),
    z.strictObject({ kinds: count }),
  ),
}
