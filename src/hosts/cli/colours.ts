/** Meanings that a screen shows by colour; elsewhere the text stands alone. */
const CODES = { good: 32, bad: 31, odd: 33, faint: 2 } as const
export type Shade = keyof typeof CODES

export type Paint = (shade: Shade | null, text: string) => string

/** @param coloured whether the output is a screen that takes colours */
export function painter(coloured: boolean): Paint {
  return (shade, text) =>
    coloured && shade !== null && text !== '' ? `\u001b[${CODES[shade]}m${text}\u001b[0m` : text
}
