const LONGEST = 80

/**
 * Text for a sentence: one line, at most 80 characters, well-formed. Captured values may be megabytes long, hold line breaks or
 * lone surrogates, and go into a database, JSON and a terminal.
 */
export function shorten(value: string, longest = LONGEST): string {
  const cut = value.length > longest ? `${value.slice(0, longest - 1)}…` : value
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
  return cut.toWellFormed().replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ')
}
