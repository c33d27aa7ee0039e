import { FORMS } from './forms.ts'

export const NONE = -1
export const SEVERAL = -2

/** Numbers are slots of the profile's counts, -1 for what was never seen. */
export class Place {
  // What every delivery looks at stands first, and so side by side in memory.
  readonly name: string
  /** The only form ever seen, whose counts are then the place's own; NONE before the first, SEVERAL after the second. */
  single: number = NONE
  seen = 0
  stamp = 0
  readonly pointer: string
  readonly depth: number
  readonly slot: number
  readonly index: number
  readonly documented: boolean
  /** Its values are a list that may be kept (catalog/fields.ts). */
  readonly listed: boolean
  firstAt: number
  readonly forms: number[] = new Array(FORMS.length).fill(-1)
  /** In the order first seen, which is the order most senders keep. */
  readonly members: Place[] = []
  readonly byName = new Map<string, Place>()
  /** Elements of a list, and members whose names are ids. */
  items: Place | undefined
  /** First delivery that lacked it after it had been seen. */
  absent = -1
  readonly values = new Map<string, number>()
  /** Set when values were too many or too long to keep. */
  many = -1
  /** The value seen last: most repeat. */
  lastSource = ''
  lastValue = -1
  /** Which delivery met it as an object last, how many of its members that one has shown, and where it stands there. */
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
