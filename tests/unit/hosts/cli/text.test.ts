import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deliveryRow } from '#contract/delivery.ts'
import { EventTable } from '#hosts/cli/commands/events.ts'
import { languageOf } from '#hosts/cli/shared/reconcile-options.ts'
import { utc } from '#hosts/cli/shared/records.ts'
import { readBounded } from '#hosts/cli/shared/terminal.ts'
import { duration, visible, visibleLines } from '#hosts/cli/shared/text.ts'
import { arbitraryOf } from '../../../support/arbitrary-of.ts'

test.each([
  [
    'controls and ANSI sequences',
    'a\u001b[31mr\u001b[0m\u0007\u009b2J\u0000\u007f',
    'a\\x1b[31mr\\x1b[0m\\x07\\x9b2J\\x00\\x7f',
  ],
  ['line ends and tabs', 'one\ntwo\r\nthree\t', 'one\\ntwo\\r\\nthree\\t'],
  [
    'what turns or hides its neighbours',
    '\u202egnp\u2066\u200b\ufeff\u2028\ud800',
    '\\u{202e}gnp\\u{2066}\\u{200b}\\u{feff}\\u{2028}\\u{d800}',
  ],
  [
    'and nothing that can be seen',
    'Nº 12 «café» 日本語 🧾 \\ "quoted"',
    'Nº 12 «café» 日本語 🧾 \\ "quoted"',
  ],
])('captured text cannot speak to the terminal: %s', (_, text, written) => {
  expect(visible(text)).toBe(written)
})

test('in a text of several lines, line ends and tabs stay what they are', () => {
  expect(visibleLines('«café»\r\n\tsecond\na\rb\u001b')).toBe('«café»\n\tsecond\na\\rb\\x1b')
})

test('microseconds survive in UTC', () => {
  expect([utc(0), utc(1_000_007)]).toEqual(['1970-01-01T00:00:00.000000Z', '1970-01-01T00:00:01.000007Z'])
})

test('a line for people is one line, harmless, and no wider than the screen', () => {
  const any = deliveryRow.parse(fc.sample(arbitraryOf(deliveryRow), { numRuns: 1, seed: 1 })[0])
  const event = '\u001b[2Jevil\n'
  const row = {
    ...any,
    event,
    rejected: true,
    malformed: 'cut-off',
    marks: ['late'],
    note: false,
    tags: [],
  } as const
  const line = new EventTable(Number.POSITIVE_INFINITY).row(row)
  expect(line).toMatch(/^[^\n]*\\x1b\[2Jevil\\n[^\n]*rejected, cut-off, late\n$/)
  const narrow = new EventTable(60)
  for (const one of [narrow.row(row), narrow.head()]) expect(one.length).toBeLessThanOrEqual(61)
})

test.each([
  [0.2, '1 s'],
  [89, '89 s'],
  [91, '2 min'],
  [7_200, '2.0 h'],
])('%s s are %s', (seconds, text) => expect(duration(seconds)).toBe(text))

test.each([
  [{}, 'en'],
  [{ LANG: 'es_DO.UTF-8' }, 'es'],
  [{ LANG: 'es' }, 'es'],
  [{ LANG: 'ES-do' }, 'es'],
  [{ LANG: 'C.UTF-8' }, 'en'],
  [{ LANG: 'fr_FR' }, 'en'],
  [{ LANG: 'est' }, 'en'],
  [{ LC_ALL: '', LC_MESSAGES: 'es_DO', LANG: 'en_US' }, 'es'],
  [{ LC_ALL: 'C', LANG: 'es_DO' }, 'en'],
])('%j: a report is in "%s" unless --language says otherwise', (env, language) =>
  expect(languageOf(env)).toBe(language),
)

/** As /dev/zero and `yes` are. */
function* endless() {
  for (;;) yield Buffer.alloc(65_536)
}

test('input that never ends is left where it is more than any user means, with a code that has words', async () => {
  await expect(readBounded(Readable.from(endless()), 1_000_000)).rejects.toMatchObject({
    code: 'ERR_FS_FILE_TOO_LARGE',
  })
  const whole = Buffer.alloc(1_000_000, 7)
  expect((await readBounded(Readable.from([whole]), 1_000_000)).equals(whole)).toBe(true)
})
