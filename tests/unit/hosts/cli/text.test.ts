import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import { httpUrl } from '#contract/params.ts'
import type { ConnectionTest } from '#contract/reconcile.ts'
import type { Job } from '#contract/replay.ts'
import { EventTable } from '#hosts/cli/commands/events.ts'
import { jobLine, jobRecord, jobText } from '#hosts/cli/commands/jobs.ts'
import { newsTeller, scheduleText } from '#hosts/cli/commands/schedule.ts'
import { jobScreen } from '#hosts/cli/shared/attempts.ts'
import { connectionTestText, indented } from '#hosts/cli/shared/connection-text.ts'
import { addressFrom, destinationFrom } from '#hosts/cli/shared/destination.ts'
import { languageOf } from '#hosts/cli/shared/reconcile-options.ts'
import { sandboxAddress } from '#hosts/cli/shared/sandbox-reach.ts'
import { readBounded } from '#hosts/cli/shared/terminal.ts'
import { painter, visible, visibleLines } from '#hosts/cli/shared/text.ts'
import { anAttempt, aRow } from '../../../support/delivery-row.ts'
import { forAll } from '../../../support/for-all.ts'
import { scheduleState } from '../../../support/settings-content.ts'
import { terminalDouble } from '../../../support/terminal-double.ts'

test.each([
  ['ANSI sequences', 'a\u001b[31mr\u001b[0m', 'a\\x1b[31mr\\x1b[0m'],
  ['controls', '\u0007\u009b2J\u0000\u007f', '\\x07\\x9b2J\\x00\\x7f'],
  ['line ends and tabs', 'one\ntwo\r\nthree\t', 'one\\ntwo\\r\\nthree\\t'],
  ['what turns its neighbours', '\u202egnp\u2066\ud800', '\\u{202e}gnp\\u{2066}\\u{d800}'],
  ['what hides', '\u200b\ufeff\u2028', '\\u{200b}\\u{feff}\\u{2028}'],
  ['and nothing that can be seen', 'Nº 12 «café» 日本語 🧾 \\ "quoted"'],
])('captured text cannot speak to the terminal: %s', (_, text, written = text) =>
  expect(visible(text)).toBe(written),
)

test('in a text of several lines, line ends and tabs stay what they are', () =>
  expect(visibleLines('«café»\r\n\tsecond\na\rb\u001b')).toBe('«café»\n\tsecond\na\\rb\\x1b'))

const plain = painter(false)

test('a line for people is one line, harmless, and no wider than the screen', () => {
  const row = aRow({ event: '\u001b[2Jevil\n', rejected: true, malformed: 'cut-off', marks: ['late'] })
  const line = new EventTable(null, plain).row(row)
  expect(line).toMatch(/^[^\n]*\\x1b\[2Jevil\\n[^\n]*rejected, cut-off, late\n$/)
  for (const screen of [1, 30, 60, 80, 100, 140, 200]) {
    const table = new EventTable(screen, plain)
    for (const one of [table.head(), ...table.row(row).split(/(?<=\n)/)].slice(0, 1))
      expect(one.length).toBeLessThanOrEqual(screen + 1)
  }
})

test('a row shows what is known of its document, and each day stands once above its rows', () => {
  const table = new EventTable(200, plain)
  const amount = { total: '90071992547409931.10', currency: 'USD' }
  const document = { number: 'E310000000001', party: 'Colmado Ñ', ...amount }
  const at = Date.UTC(2026, 10, 20, 12) * 1_000
  const row = aRow({ receivedAt: at, document })
  expect(table.row(row)).toMatch(/^── 2026-11-\d\d ──\n.*E310000000001 +Colmado Ñ +90,071,992,547/)
  expect(table.row(row)).not.toContain('──')
  // More digits than a double holds.
  expect(new EventTable(null, plain).row(row)).toContain('90,071,992,547,409,931.10 USD')
  expect(table.row({ ...row, receivedAt: at + 48 * 3_600_000_000 })).toContain('──')
})

test('JSON is set out a member a line, each token as it was written', () => {
  expect(indented('{"a":[1.00,"\\u00f1, {"],"a":{},"b":[]}')).toBe(
    '{\n  "a": [\n    1.00,\n    "\\u00f1, {"\n  ],\n  "a": {},\n  "b": []\n}',
  )
  forAll(100, [fc.json()], (json) => {
    expect(JSON.parse(indented(json))).toEqual(JSON.parse(json))
    expect(indented(indented(json))).toBe(indented(json))
  })
})

const READERS = [addressFrom, destinationFrom, sandboxAddress, (text: string) => httpUrl.parse(text)]
test.each([
  ['localhost:3000/hook', 'http://localhost:3000/hook'],
  [' 127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['[::1]:3000/', 'http://[::1]:3000/'],
  ['https://example.com/hook', 'https://example.com/hook'],
])('an address of this machine may lack the scheme, for every command: %s', (typed, address) => {
  for (const read of READERS) expect(read(typed)).toBe(address)
})

test('a name stays a name, and an address elsewhere without a scheme is refused', () => {
  expect(destinationFrom('localhost')).toBe('localhost')
  for (const read of READERS) expect(() => read('example.com:3000/hook')).toThrow()
})

test.each([
  [{}, 'en'],
  [{ LANG: 'es_DO.UTF-8' }, 'es'],
  [{ LANG: 'ES-do' }, 'es'],
  [{ LANG: 'C.UTF-8' }, 'en'],
  [{ LANG: 'est' }, 'en'],
  [{ LC_ALL: '', LC_MESSAGES: 'es_DO', LANG: 'en_US' }, 'es'],
  [{ LC_ALL: 'C', LANG: 'es_DO' }, 'en'],
])('%j: a report is in "%s" unless --language says otherwise', (env, language) =>
  expect(languageOf(env)).toBe(language),
)

function* endless() {
  for (;;) yield Buffer.alloc(65_536)
}

test('input that never ends is left where it is more than any user means, with a code that has words', async () => {
  const endlessly = readBounded(Readable.from(endless()), 1_000_000)
  await expect(endlessly).rejects.toMatchObject({ code: 'ERR_FS_FILE_TOO_LARGE' })
  const whole = Buffer.alloc(1_000_000, 7)
  expect((await readBounded(Readable.from([whole]), 1_000_000)).equals(whole)).toBe(true)
})

const shown = (sample: string) => {
  const found = { ok: true, status: 200, problem: null, items: 1, mapping: null } as const
  const came: ConnectionTest = { ...found, message: 'One.', sample }
  return connectionTestText(came).split('\n').slice(2, -1)
}

test('the sample of acuse connections test: what was cut off, in a text or after a member, and what is no JSON is shown as far as it goes', () => {
  expect(shown('{"a":"half of it')).toEqual(['{', '  "a": "half of it'])
  expect(shown('{"a":1,"b":')).toEqual(['{', '  "a": 1,', '  "b":'])
  expect(shown('<html>\n{"a":1}')).toEqual(['<html>', '{"a":1}'])
  expect(indented('}]}{')).toContain('{')
})
test('the sample of acuse connections test: is bounded in lines, width and depth, says how much there is, and nothing in it acts on the terminal', () => {
  const lines = shown(JSON.stringify(Array.from({ length: 100 }, (_, i) => i)))
  expect(lines).toHaveLength(61)
  expect(lines.at(-1)).toBe('… and 42 more lines; --json has all of it.')
  expect(shown(`["${'x'.repeat(500)}"]`)[1]).toHaveLength(201)
  expect(indented('['.repeat(20_000)).length).toBeLessThan(1_000_000)
  expect(shown('{"a":"\u001b[31m"}').join()).not.toContain('\u001b')
})

const failed = { missing: null, error: { code: 'unauthorised', message: 'The key is wrong.', params: {} } }

test('a host without a window says in one line what was missed and recovered, and nothing of what is no news', () => {
  const said: string[] = []
  const tell = newsTeller((line) => said.push(line))
  tell(scheduleState({ missing: 2, fresh: 0 }))
  expect(said).toEqual([])
  const recovery = { target: 'handler', documents: 1, events: 2, jobs: [7] }
  tell(scheduleState({ missing: 2, fresh: 1, recovery }))
  expect(said).toEqual([
    'Scheduled sweep of erp (sweep 14): 2 missing, 0 differ, 1 with a missed event that is new. 2 events of 1 document rebuilt and sent to handler by job 7.',
  ])
})

test('a failure that stays the same is said once, and again after it was away', () => {
  const said: string[] = []
  const tell = newsTeller((line) => said.push(line))
  for (const run of [failed, failed, {}, failed]) tell(scheduleState(run))
  expect(said).toEqual(Array(2).fill('Scheduled sweep of erp (sweep 14): The key is wrong.'))
})

test('a schedule for people says when it runs and its last result', () => {
  const daily = scheduleState({}, { time: { at: '06:30', weekdays: ['mon'] } })
  const text = scheduleText(daily, 'America/Santo_Domingo')
  expect(text).toContain('erp  at 06:30 on mon (America/Santo_Domingo)\n')
  expect(text).toContain('Last run     1970-01-01T00:00:00Z: 0 missing, 0 differ.')
})

const URL_ = 'http://127.0.0.1:1/\u001b[2J'
const ROW = anAttempt({ deliveryId: 4, url: URL_, tookUs: 12_345, again: true, tryNumber: 2, imported: true })
const FAILED = { ...ROW, deliveryId: 5, status: 500, ok: false }
const JOB: Job = {
  ...{ total: 100_000, done: 1_200, failed: 34, inFlight: 1, uncertain: 0 },
  ...{ createdAt: 0, endedAt: null, rate: 2_310.4, etaMs: 42_000 },
  ...{ id: 1, state: 'running', pausedBy: null, lastError: null, stall: null, imported: false },
  source: { type: 'filter', filter: '' },
  options: { ...DEFAULT_JOB_OPTIONS, to: { target: 'staging' } },
}

test('how a job is shown as it runs: few attempts get a line each, also on a screen; nothing in a URL acts on the terminal', async () => {
  const terminal = terminalDouble({ coloured: true, progress: () => true })
  await jobScreen({ terminal, json: false }, 2).attempts([ROW, FAILED])
  const [first, second] = terminal.stdout().split('\n')
  expect(first).toContain('\u001b[32m200\u001b[0m     12 ms  POST ')
  expect(first).toMatch(/#4 .*\\x1b\[2J {2}try 2 {2}may have arrived before {2}imported$/)
  expect(second).toContain('\u001b[31m500\u001b[0m')
})

test('how a job is shown as it runs: many get one line on a screen that says how far it is, and failures lines of their own', async () => {
  const shown: (string | null)[] = []
  const terminal = terminalDouble({ progress: (text) => shown.push(text) > 0 })
  const screen = jobScreen({ terminal, json: false }, JOB.total)
  await screen.attempts([ROW, FAILED])
  expect(terminal.stdout()).toMatch(/^\S+ {2}#5 [^\n]*\n$/)
  screen.progress(JOB)
  expect(shown.at(-1)).toBe('1,234 of 100,000 · 34 failed · 2,310/s · 42 s left · Ctrl+C cancels')
  screen.progress({ ...JOB, state: 'done' })
  expect(shown.at(-1)).toBeNull()
})

test('a job that the disk holds up says so, in its line, in full, and to scripts', () => {
  const stall = { code: 'storage', message: 'The record of replays cannot be used: disk full.' } as const
  const held = { ...JOB, stall }
  expect(jobLine(held)).toContain('waits for the disk')
  expect(jobText(held)).toMatch(/Waits +The record of replays cannot be used: disk full\./)
  expect(jobRecord(held).stall).toEqual(stall)
  expect(jobText(JOB)).not.toMatch(/waits/i)
})
