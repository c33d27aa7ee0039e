import { FORMS } from './forms.ts'

export const NONE = -1
export const SEVERAL = -2

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
