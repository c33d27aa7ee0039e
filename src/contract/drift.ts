import { z } from 'zod'
import { count, defineCommand, defineQuery, id, kind, limit, micros, type Of } from './params.ts'
import { DRIFT_CODES, SHAPE_TYPES, STRING_FORMATS } from './values.ts'

const shape = z.strictObject({
  type: z.enum(SHAPE_TYPES),
  /** Of a string; null for every other type. */
  format: z.enum(STRING_FORMATS).nullable(),
})
export type Shape = Of<typeof shape>
export type ShapeType = Shape['type']
export type StringFormat = (typeof STRING_FORMATS)[number]
export type DriftCode = (typeof DRIFT_CODES)[number]

/** One thing that a delivery showed first. */
export const driftFact = z.strictObject({
  code: z.enum(DRIFT_CODES),
  /** Where it stands in that delivery (RFC 6901); of `gone`, where it would. */
  pointer: z.string(),
  /** The same with `*` for every place in a list, and for names that are ids or dates. */
  place: z.string(),
  /** Seen there before; of a new field nothing. */
  was: z.array(shape),
  /** What it showed; null for `gone`. */
  now: shape.nullable(),
  /** Deliveries that had shown the field before; for a new field, the object it lies in. */
  seen: count,
  /** Arrival of the first of those, microseconds since the epoch. */
  since: micros,
})
export type DriftFact = Of<typeof driftFact>

const driftEvent = driftFact.extend({
  kind,
  /** Null when it is no longer stored. */
  deliveryId: id.nullable(),
  at: micros,
})
export type DriftEvent = Of<typeof driftEvent>

/** When something was seen, in microseconds since the epoch, and by which delivery: null when that is no longer stored. */
const sighting = z.strictObject({
  /** Deliveries, not occurrences: a field of every line counts once for each delivery. */
  n: count,
  firstAt: micros,
  firstId: id.nullable(),
  lastAt: micros,
  lastId: id.nullable(),
})
export type Sighting = Of<typeof sighting>

const observedField = sighting.extend({
  /** With `*` for every place in a list. */
  place: z.string(),
  documented: z.boolean(),
  /** Deliveries that had the object or list around it; `n` of them showed it. */
  of: count,
  shapes: z.array(sighting.extend(shape.shape)),
  /** JSON source as sent, for fields that the catalogue knows as codes, and for true and false; empty where none are kept. */
  values: z.array(sighting.extend({ value: z.string() })),
  /** There were too many values, or too long ones, to keep any. */
  manyValues: z.boolean(),
  /** Arrival of the first delivery that lacked it after it had been seen. */
  absentSince: micros.nullable(),
})
export type ObservedField = Of<typeof observedField>

const driftProfile = z.strictObject({
  kind,
  /** Deliveries that taught; what is deleted later still counts. */
  deliveries: count,
  learning: z.boolean(),
  firstAt: micros.nullable(),
  lastAt: micros.nullable(),
  fields: z.array(observedField),
  /** Deliveries with something that the profile had no room for, or that lay too deep. */
  unrecorded: count,
})
export type DriftProfile = Of<typeof driftProfile>

const driftKind = z.strictObject({
  kind,
  deliveries: count,
  learning: z.boolean(),
  /** Deliveries until it has learned its fields; 0 when it has. */
  missing: count,
  fields: count,
  undocumented: count,
  events: count,
  /** Of them, those by deliveries that arrived after the instant asked for. */
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
  'drift.events': defineQuery(
    'What deliveries showed first, by their arrival, newest first.',
    eventsParams,
    driftEvents,
  ),
  'drift.reset': defineCommand(
    'Forgets what was observed of a kind, or of all. Later deliveries teach anew; stored ones lose their mark only.',
    z.strictObject({ kind: kind.exactOptional() }),
    z.strictObject({ kinds: count }),
  ),
}
