/** Sections of the screen in order; the names appear in the location hash. */
export const SECTIONS = [
  'receiver',
  'source',
  'endpoints',
  'targets',
  'faults',
  'connections',
  'alerts',
  'traces',
  'masking',
  'retention',
  'backup',
  'appearance',
  'about',
] as const
export type SectionName = (typeof SECTIONS)[number]
