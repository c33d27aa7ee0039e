/** Parts of the screen in order, grouped by purpose; the names appear in the location hash. */
export const PARTS = {
  make: ['emit', 'scenarios', 'operations', 'traffic'],
  see: ['log'],
  set: ['subscriptions', 'laboratory', 'keys'],
} as const
export type PartGroup = keyof typeof PARTS
export type PartName = (typeof PARTS)[PartGroup][number]

const NAMES: readonly PartName[] = Object.values(PARTS).flat()

export const partOf = (section: string | null): PartName => NAMES.find((name) => name === section) ?? 'emit'
