const { promise, resolve } = Promise.withResolvers<void>()

/** Resolves when the window shows what it was opened for: what can come later waits for it. */
export const firstDraw: Promise<void> = promise

/** Under this name the moment is found in the page's timings, by tools and by `npm run bench -- browse`. */
export const FIRST_DRAW = 'acuse-first-draw'

/** Tells that it does; more calls say nothing. */
export function noteFirstDraw(): void {
  if (performance.getEntriesByName(FIRST_DRAW).length > 0) return
  performance.mark(FIRST_DRAW)
  resolve()
}
