import { PAGE_SIZE } from '#catalog/service.ts'
import { AcuseError } from '#contract/errors.ts'
import type { RouteChoice, Sweep, SweepRequest } from '#contract/reconcile.ts'
import { resolveRange } from '#core/reconcile/range.ts'
import { zonedText } from '#core/time/zone.ts'

export const PRESETS = ['today', 'yesterday', 'thisMonth', 'lastMonth', 'sinceLast'] as const
export type Preset = (typeof PRESETS)[number]

/** A range while it is being typed. */
export interface RangeDraft {
  readonly route: RouteChoice
  /** Dates, or date-times with offset; empty: none, which treasury allows. */
  readonly from: string
  readonly to: string
  readonly documentType: number | null
  readonly pageSize: number | null
}
export type RangeField = 'from' | 'to' | 'documentType' | 'pageSize'
export type RangeError = 'needed' | 'date' | 'order' | 'type' | 'size'
export type RangeErrors = ReadonlyMap<RangeField, RangeError>

const DAY_MS = 86_400_000

/** Today's date in a zone, as `2026-11-21`. @param now milliseconds since the epoch */
const dayIn = (zone: string, now: number): string => zonedText(zone, now * 1_000).slice(0, 10)
const shifted = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/**
 * Both ends of a preset in the connection's zone.
 * @param now milliseconds since the epoch
 * @param last the sweep before, whose end is the beginning of `sinceLast`; null: there is none
 * @returns null where the preset has no meaning
 */
export function presetRange(
  preset: Preset,
  zone: string,
  now: number,
  last: Pick<Sweep, 'range'> | null,
): Pick<RangeDraft, 'from' | 'to'> | null {
  const today = dayIn(zone, now)
  const first = `${today.slice(0, 8)}01`
  switch (preset) {
    case 'today':
      return { from: today, to: today }
    case 'yesterday':
      return { from: shifted(today, -1), to: shifted(today, -1) }
    case 'thisMonth':
      return { from: first, to: today }
    case 'lastMonth': {
      const end = shifted(first, -1)
      return { from: `${end.slice(0, 8)}01`, to: end }
    }
    case 'sinceLast': {
      const end = last?.range.to
      if (!end) return null
      // What ended later than now (a whole day) begins again with its own day.
      const from = Date.parse(end) < now ? end : today
      return { from, to: zonedText(zone, now * 1_000) }
    }
  }
}

export function firstRange(zone: string, now: number): RangeDraft {
  const ends = presetRange('thisMonth', zone, now, null) ?? { from: '', to: '' }
  return { route: 'accounting', ...ends, documentType: null, pageSize: PAGE_SIZE.default }
}

/** @returns what the host takes; undefined while something is missing */
export function requestOf(draft: RangeDraft): SweepRequest | undefined {
  const { route, documentType, pageSize } = draft
  if (pageSize === null) return undefined
  const end = (text: string): string | null => (text.trim() === '' ? null : text.trim())
  return { route, from: end(draft.from), to: end(draft.to), documentTypeId: documentType, pageSize }
}

/** What the host would refuse, told while typing: by the same rules. */
export function rangeErrors(draft: RangeDraft, zone: string): RangeErrors {
  const errors = new Map<RangeField, RangeError>()
  if (draft.pageSize === null || draft.pageSize < 1 || draft.pageSize > PAGE_SIZE.maximum)
    errors.set('pageSize', 'size')
  // Empty asks for every type; what is no number must not.
  if (draft.documentType !== null && !Number.isSafeInteger(draft.documentType))
    errors.set('documentType', 'type')
  const needed = draft.route !== 'treasury'
  const refused = (from: string | null, to: string | null): boolean => {
    try {
      resolveRange({ route: 'treasury', from, to, documentTypeId: null, pageSize: 1 }, zone)
      return false
    } catch (error) {
      if (error instanceof AcuseError) return true
      throw error
    }
  }
  for (const end of ['from', 'to'] as const) {
    const text = draft[end].trim()
    if (text === '') {
      if (needed) errors.set(end, 'needed')
    } else if (refused(end === 'from' ? text : null, end === 'to' ? text : null)) errors.set(end, 'date')
  }
  const both = draft.from.trim() !== '' && draft.to.trim() !== ''
  if (both && !errors.has('from') && !errors.has('to') && refused(draft.from.trim(), draft.to.trim()))
    errors.set('to', 'order')
  return errors
}
