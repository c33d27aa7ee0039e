import { type Patience, TooLong } from '../sql/opened.ts'

/** Ids looked through at once to begin with, and at most. */
const FIRST_WINDOW = 256
const MOST_WINDOW = 65_536

export interface PaceOptions {
  /** A look should take about so long: whoever else uses the thread waits for it. */
  readonly sliceMs: number
  /** One that opens large bodies is broken off then, and begun anew with fewer. */
  readonly longestMs: number
}

/** How many deliveries can be looked at in a moment, learnt from how long the looks before took. */
export class Pace {
  readonly #patience: Patience
  readonly #options: PaceOptions
  #window = FIRST_WINDOW

  constructor(patience: Patience, options: PaceOptions) {
    this.#patience = patience
    this.#options = options
  }

  /** @param look looks at so many; it is called again with fewer when it took too long, so what it did until then must not last */
  timed<T>(look: (window: number) => T): T {
    const { sliceMs, longestMs } = this.#options
    for (;;) {
      const began = performance.now()
      const window = this.#window
      try {
        const longest = window === 1 ? Number.POSITIVE_INFINITY : longestMs
        const looked = this.#patience.within(longest, () => look(window))
        const took = performance.now() - began
        if (took < sliceMs / 2) this.#window = Math.min(MOST_WINDOW, window * 2)
        else if (took > sliceMs) this.#window = Math.max(1, Math.floor(window / 2))
        return looked
      } catch (error) {
        if (!(error instanceof TooLong)) throw error
        this.#window = Math.max(1, Math.floor(window / 8))
      }
    }
  }
}
