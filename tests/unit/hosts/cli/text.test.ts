import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DeliveryRow, deliveryRow } from '#contract/delivery.ts'
import { httpUrl } from '#contract/params.ts'
import { EventTable } from '#hosts/cli/commands/events.ts'
import { indented } from '#hosts/cli/shared/connection-text.ts'
import { addressFrom, destinationFrom } from '#hosts/cli/shared/destination.ts'
import { languageOf } from '#hosts/cli/shared/reconcile-options.ts'
import { utc } from '#hosts/cli/shared/records.ts'
import { sandboxAddress } from '#hosts/cli/shared/sandbox-reach.ts'
import { readBounded } from '#hosts/cli/shared/terminal.ts'
import { duration, painter, visible, visibleLines } from '#hosts/cli/shared/text.ts'
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

const plain = painter(false)
const anyRow = (change: Partial<DeliveryRow>): DeliveryRow => ({
  ...deliveryRow.parse(fc.sample(arbitraryOf(deliveryRow), { numRuns: 1, seed: 1 })[0]),
  rejected: false,
  malformed: null,
  marks: [],
  note: false,
  tags: [],
  ...change,
})

test('a line for people is one line, harmless, and no wider than the screen', () => {
  const row = anyRow({ event: '\u001b[2Jevil\n', rejected: true, malformed: 'cut-off', marks: ['late'] })
  const line = new EventTable(null, plain).row(row)
  expect(line).toMatch(/^[^\n]*\\x1b\[2Jevil\\n[^\n]*rejected, cut-off, late\n$/)
  for (const screen of [1, 30, 60, 80, 100, 140, 200]) {
    const table = new EventTable(screen, plain)
    for (const one of [table.head(), ...table.row(row).split(/(?<=\n)/)].slice(0, 1))
      expect(one.length).toBeLessThanOrEqual(screen + 1)
  }
})

test.each([
  [60, 'ID TIME VERDICT EVENT NUMBER'],
  [80, 'ID TIME VERDICT EVENT NUMBER TOTAL'],
  [100, 'ID TIME VERDICT EVENT NUMBER PARTY TOTAL'],
  [120, 'ID TIME VERDICT EVENT NUMBER PARTY TOTAL ANSWER MARKS'],
  [null, 'ID RECEIVED VERDICT EVENT NUMBER PARTY TOTAL ANSWER ENDPOINT METHOD DOCUMENT SIZE MARKS'],
])('a screen of %s characters has the columns %s', (screen, columns) =>
  expect(new EventTable(screen, plain).head().trim().split(/ +/).join(' ')).toBe(columns),
)

test('a row shows what is known of its document, and each day stands once above its rows', () => {
  const table = new EventTable(200, plain)
  const document = {
    number: 'E310000000001',
    party: 'Colmado Ñ',
    total: '90071992547409931.10',
    currency: 'USD',
  }
  const at = Date.UTC(2026, 10, 20, 12) * 1_000
  const row = anyRow({ number: null, receivedAt: at, document })
  expect(table.row(row)).toMatch(/^── 2026-11-\d\d ──\n.*E310000000001 +Colmado Ñ +90,071,992,547/)
  expect(table.row(row)).not.toContain('──')
  // Beyond what a double holds.
  expect(new EventTable(null, plain).row(row)).toContain('90,071,992,547,409,931.10 USD')
  expect(table.row({ ...row, receivedAt: at + 48 * 3_600_000_000 })).toContain('──')
})

test('JSON is set out a member a line, each token as it was written', () => {
  expect(indented('{"a":[1.00,"\\u00f1, {"],"a":{},"b":[]}')).toBe(
    '{\n  "a": [\n    1.00,\n    "\\u00f1, {"\n  ],\n  "a": {},\n  "b": []\n}',
  )
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(JSON.parse(indented(json))).toEqual(JSON.parse(json))
      expect(indented(indented(json))).toBe(indented(json))
    }),
  )
})

test.each([
  ['localhost:3000/hook', 'http://localhost:3000/hook'],
  [' 127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['[::1]:3000/', 'http://[::1]:3000/'],
  ['https://example.com/hook', 'https://example.com/hook'],
])('an address of this machine may lack the scheme, for every command: %s', (typed, address) => {
  for (const read of [addressFrom, destinationFrom, sandboxAddress, (text: string) => httpUrl.parse(text)])
    expect(read(typed)).toBe(address)
})

test('a name stays a name, and an address elsewhere without a scheme is refused', () => {
  expect(destinationFrom('localhost')).toBe('localhost')
  for (const read of [addressFrom, destinationFrom, sandboxAddress, (text: string) => httpUrl.parse(text)])
    expect(() => read('example.com:3000/hook')).toThrow()
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
