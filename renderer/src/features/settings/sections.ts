/** Sections of the screen in order; the names are those of the location hash. */
export const SECTIONS = [
  'receiver',
  'endpoints',
  'targets',
  'faults',
  'connections',
  'masking',
  'retention',
  'appearance',
  'about',
] as const
export type SectionName = (typeof SECTIONS)[number]
