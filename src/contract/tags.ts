/** Maximum length of a note, in UTF-16 code units. */
export const NOTE_LENGTH = 10_000
/** Maximum length of a tag, and maximum number of tags per delivery. */
export const TAG_LENGTH = 40
export const TAGS_PER_DELIVERY = 20

export const sameTag = (typed: string): string => typed.toLowerCase().normalize('NFC')

/** Normal form in which a tag is stored. */
export const tagOf = (typed: string): string => sameTag(typed.trim())

/** Characters that `tag:` takes without quotes: no spaces, commas, quotes, parentheses, stars or invisible characters. */
const TAG = /^[^\s\p{C},"'()*]{1,40}$/u

export const isTag = (tag: string): boolean => TAG.test(tag)
