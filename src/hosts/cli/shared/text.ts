import type { Verdict } from '#contract/delivery.ts'
import { nearest } from '#core/filter/fields.ts'
import { createMasking, MASKED_NAMES } from '#core/masking.ts'

/**
 * Characters that a terminal executes or hides: control characters (and so ANSI sequences), bidirectional overrides and
 * other format characters, line separators, lone surrogates.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Makes captured text safe for a terminal, on one line: escapes control and invisible characters. */
export function visible(text: string): string {
  return text.replace(UNSEEN, writtenOut)
}

/** As `visible`, but keeps line ends and tabs. */
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

/** ANSI colour code of each meaning. */
const CODES = { good: 32, bad: 31, odd: 33, faint: 2 } as const
export type Shade = keyof typeof CODES

export const VERDICT_SHADES: Readonly<Record<Verdict, Shade | null>> = {
  test: 'faint',
  valid: 'good',
  noted: null,
  warning: 'odd',
  invalid: 'bad',
  unreadable: 'bad',
}

export type Paint = (shade: Shade | null, text: string) => string

export function painter(coloured: boolean): Paint {
  return (shade, text) =>
    coloured && shade !== null && text !== '' ? `\u001b[${CODES[shade]}m${text}\u001b[0m` : text
}

/** Lists the existing names for a user who typed an unknown one. @param names at least one */
export const knownNames = (names: readonly string[]): string =>
  names.length === 1 ? `There is only "${names[0]}".` : `There are ${names.join(', ')}.`

/** Suggests the name nearest to a mistyped one; `otherwise` when none is near. */
export function didYouMean(typed: string, names: readonly string[], otherwise = '', sign = ''): string {
  const [meant] = nearest(typed, names)
  return meant === undefined ? otherwise : ` Did you mean ${sign}${meant}?`
}

/** Masks the credentials in a URL of the settings; `--json` and `config get` print it unmasked. */
export const shownUrl = createMasking(() => MASKED_NAMES).target

/** Formats an entry: a head line, then one line per fact without those that are null. @param width of the names, in characters */
export function block(
  head: string,
  facts: readonly (readonly [name: string, value: string | null])[],
  width = 10,
): string {
  const lines = facts.flatMap(([name, value]) =>
    value === null ? [] : [`     ${name.padEnd(width)} ${value}`],
  )
  return `${[head, ...lines].map(visible).join('\n')}\n`
}

export const number = (value: number): string => value.toLocaleString('en-US')

export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  if (seconds < 5_400) return `${Math.ceil(seconds / 60)} min`
  return `${(seconds / 3_600).toFixed(1)} h`
}

/** "1 page", "2 pages", "2 deliveries". */
export const counted = (count: number, noun: string): string =>
  `${number(count)} ${count === 1 ? noun : `${noun}s`.replace(/([^aeiou])ys$/, '$1ies')}`

export const listed = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
