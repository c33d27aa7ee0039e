/** Characters that are invisible or control the display. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Makes a text safe to display: one line, without control or bidirectional characters. */
export const shown = (text: string): string =>
  text.replace(UNSEEN, (one) => (/\s/.test(one) ? ' ' : '\u{fffd}'))

/**
 * Escapes Markdown: a backslash before every significant mark, entities for `<` and `&`. GitHub links bare addresses too, so their colon
 * and dot become entities, and an empty comment splits e-mail addresses.
 */
export const escaped = (text: string): string =>
  shown(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_{}[\]()#+!|~^$]/g, '\\$&')
    .replace(/:\/\//g, '&#58;//')
    .replace(/\bwww\./gi, (www) => `${www.slice(0, -1)}&#46;`)
    .replace(/@/g, '<!-- -->@')

/** Plain numbers stay unquoted, since amounts must stay numbers and such digits are harmless. */
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/
/** Texts that spreadsheets take for formulas, also in full-width forms and after quotes or blanks. */
const FORMULA = /^[\s'"\u{200b}\u{feff}]*[=+\-@|%\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}]/u

/** Spreadsheets that separate lists by semicolons start a cell after each, even inside quotes. */
const INNER_FORMULA = /;(?=[\s'"]*[=+\-@|%\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}])/gu

/** A cell of CSV by RFC 4180 that no spreadsheet takes for a formula. */
export function cell(text: string): string {
  const line = shown(text).replace(INNER_FORMULA, ',')
  const safe = FORMULA.test(line) && !PLAIN_NUMBER.test(line) ? `'${line}` : line
  return /[",;'\t]/.test(safe) || safe.trim() !== safe ? `"${safe.replaceAll('"', '""')}"` : safe
}
