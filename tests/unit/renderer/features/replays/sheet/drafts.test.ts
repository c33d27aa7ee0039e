import { describe, expect, test } from 'vitest'
import { COMMANDS } from '#contract/commands.ts'
import { DEFAULT_JOB_OPTIONS, DEFAULT_TARGET } from '#contract/defaults.ts'
import {
  FIRST_OPTIONS,
  optionsOf,
  wrongOptions,
} from '../../../../../../renderer/src/features/replays/sheet/options-draft.ts'
import {
  firstChoice,
  nameForUrl,
  referenceOf,
  TYPED,
  urlProblem,
  withholdingHost,
} from '../../../../../../renderer/src/shared/targets/target-choice.ts'

describe('options of a job', () => {
  test('the form begins with the usual options', () => {
    expect(optionsOf(FIRST_OPTIONS, 'app')).toEqual({ ...DEFAULT_JOB_OPTIONS, to: { target: 'app' } })
  })

  test('what the form gives is what the contract takes', () => {
    const options = optionsOf(
      {
        ...FIRST_OPTIONS,
        rate: 12.5,
        keepGaps: true,
        gaps: 0.5,
        stopAfter: 3,
        failures: ' 4XX;500 500,404 ',
        rejected: true,
        replays: true,
      },
      'app',
    )
    expect(options).toMatchObject({
      ratePerSecond: 12.5,
      gaps: 0.5,
      stopAfterFailures: 3,
      failures: ['4xx', '500', '404'],
      include: ['rejected', 'replay'],
    })
    const source = { type: 'filter', filter: '' }
    expect(COMMANDS['jobs.start'].params.safeParse({ source, options }).success).toBe(true)
  })

  test('gaps count only while they are kept', () => {
    expect(optionsOf({ ...FIRST_OPTIONS, gaps: 99 }, 'app')?.gaps).toBeNull()
    expect(wrongOptions({ ...FIRST_OPTIONS, gaps: 99, keepGaps: true })).toEqual(new Set(['gaps']))
  })

  test.each([
    ['concurrency', { concurrency: 0 }],
    ['concurrency', { concurrency: null }],
    ['rate', { rate: 0 }],
    ['stopAfter', { stopAfter: 0 }],
    ['rate', { rate: Number.NaN }],
    ['stopAfter', { stopAfter: Number.NaN }],
    ['retries', { retries: 21 }],
    ['retryDelay', { retryDelayMs: 600_001 }],
    ['failures', { failures: '6xx' }],
    ['failures', { failures: '4xx, teapot' }],
  ] as const)('%s is told when the host would refuse it', (field, part) => {
    const draft = { ...FIRST_OPTIONS, ...part }
    expect(wrongOptions(draft)).toEqual(new Set([field]))
    expect(optionsOf(draft, 'app')).toBeNull()
  })
})

describe('where a replay goes', () => {
  test.each([
    ['localhost:3000', 'http://localhost:3000'],
    [' 127.0.0.1:3000/hook?a=1 ', 'http://127.0.0.1:3000/hook?a=1'],
    ['[::1]:8080/', 'http://[::1]:8080/'],
    ['https://localhost:3000/', 'https://localhost:3000/'],
  ])('an address of this computer may come without its scheme: %j', (typed, url) => {
    expect(urlProblem(typed)).toBeNull()
    expect(referenceOf({ chosen: TYPED, typed })).toBe(url)
  })

  test('a URL that is kept is named after its host and port, once', () => {
    expect(nameForUrl('http://127.0.0.1:3000/hook', [])).toBe('127-0-0-1-3000')
    expect(nameForUrl('http://[::1]:80/', ['1', '1-2'])).toBe('1-3')
    expect(nameForUrl('http://localhost:3000/', ['localhost-3000'])).toBe('localhost-3000-2')
  })

  test('the default target is offered, else the first, else a URL', () => {
    const targets = [{ name: 'a' }, { name: 'b' }] as never
    expect(firstChoice(targets, 'b').chosen).toBe('b')
    expect(firstChoice(targets, null).chosen).toBe('a')
    expect(firstChoice([], null).chosen).toBe(TYPED)
  })

  test.each([
    ['http://127.0.0.1:3000/', null],
    [' https://example.com ', null],
    ['', 'missing'],
    ['example:3000', 'notHttp'],
    ['localhosts:3000', 'notHttp'],
    ['ftp://example.com/', 'notHttp'],
    ['http://ana:secret@example.com/', 'credentials'],
  ])('%j typed as a URL', (text, problem) => {
    expect(urlProblem(text)).toBe(problem)
    expect(referenceOf({ chosen: TYPED, typed: text })).toBe(problem === null ? text.trim() : null)
  })
})

test.each([
  ['https://erp.example/hook', false, 'erp.example'],
  ['https://erp.example/hook', true, null],
  ['http://127.0.0.1:3000/hook', false, null],
] as const)('of %s (credentials kept: %s) the sheet says who gets none: %s', (url, keepCredentials, host) => {
  const target = { ...DEFAULT_TARGET, name: 'erp', url, keepCredentials }
  expect(withholdingHost({ chosen: 'erp', typed: '' }, [target])).toBe(host)
  if (!keepCredentials) expect(withholdingHost({ chosen: TYPED, typed: url }, [])).toBe(host)
})
