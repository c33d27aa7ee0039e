/** Longest note, in characters as JavaScript counts them. */
export const NOTE_LENGTH = 10_000
/** Longest tag, and how many a delivery may have. */
export const TAG_LENGTH = 40
export const TAGS_PER_DELIVERY = 20

export const sameTag = (typed: string): string => typed.toLowerCase().normalize('NFC')

/** A tag as it is kept. */
export const tagOf = (typed: string): string => sameTag(typed.trim())

/** What `tag:` of the filter can say without quotes: no spaces, commas, quotes, parentheses, stars or invisible characters. */
const TAG = /^[^\s\p{C},"'()*]{1,40}$/u

export const isTag = (tag: string): boolean => TAG.test(tag)
