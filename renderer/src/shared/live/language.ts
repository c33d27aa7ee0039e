/** The filter language: what parses a filter and judges rows by it. A window that shows everything needs none of it. */
export { matches } from '#core/filter/matches.ts'
export { parseFilter } from '#core/filter/parse.ts'
export { keepInHistory } from './remembered.ts'
