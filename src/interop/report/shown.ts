/** Characters that act or hide instead of showing: controls, overrides of the writing direction, line separators, lone surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Text of a document as it may stand in something that is read: on one line, in the order in which it is written. */
export const shown = (text: string): string =>
  text.replace(UNSEEN, (one) => (/\s/.test(one) ? ' ' : '\u{fffd}'))
