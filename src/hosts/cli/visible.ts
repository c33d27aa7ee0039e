/**
 * Characters that a terminal obeys or hides instead of showing: controls (and with them ANSI sequences), bidirectional overrides and
 * other format characters, line separators, lone surrogates.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Captured text as it may be printed on a terminal, on one line: what would act or hide is written out instead. */
export function visible(text: string): string {
  return text.replace(UNSEEN, writtenOut)
}

/** As `visible`, but line ends and tabs stay what they are. */
export function visibleLines(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(UNSEEN, (character) =>
      character === '\n' || character === '\t' ? character : writtenOut(character),
    )
}

function writtenOut(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  return NAMED[character] ?? (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`)
}
