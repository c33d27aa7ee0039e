/** The parser and the predicate of the filter language, in a chunk of their own: an unfiltered window needs neither. */
export { matches } from '#core/filter/matches.ts'
export { parseFilter } from '#core/filter/parse.ts'
export { keepInHistory } from './remembered.ts'
