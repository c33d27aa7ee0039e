import { describe, expect, test } from 'vitest'
import { DEFAULT_JOB_OPTIONS, DEFAULT_TARGET } from '#contract/defaults.ts'
import {
  bodyDraftOf,
  changedParts,
  EDITED_MOST,
  editForm,
  editOf,
} from '@/features/replays/sheet/edit-form.ts'
import { JOB_FORM } from '@/features/replays/sheet/start-job.tsx'
import { judge } from '@/shared/forms/form.ts'
import {
  firstChoice,
  nameForUrl,
  referenceOf,
  TYPED,
  urlProblem,
  withholdingHost,
} from '@/shared/targets/target-choice.ts'

describe('options of a job', () => {
  const { first } = JOB_FORM
  const judged = (options: Partial<typeof first.options>, part: Partial<typeof first> = {}) =>
    judge(JOB_FORM, { ...first, ...part, options: { ...first.options, ...options } })

  test('the form begins with the usual options', () =>
    expect(judged({}).params?.options).toMatchObject(DEFAULT_JOB_OPTIONS))

  test('what is typed is what the contract takes; gaps count only while they are kept', () => {
    const given = { ratePerSecond: 12.5, gaps: 0.5, stopAfterFailures: 3, failures: ' 4XX;500 500,404 ' }
    const all = { keepGaps: true, includeRejected: true, includeReplays: true }
    expect(judged(given, all).params?.options).toMatchObject({
      ...{ ratePerSecond: 12.5, gaps: 0.5, stopAfterFailures: 3 },
      ...{ failures: ['4xx', '500', '404'], include: ['rejected', 'replay'] },
    })
    expect(judged({ gaps: 99 }).params?.options.gaps).toBeNull()
  })

  test.each([
    ['concurrency', { concurrency: 0 }],
    ['concurrency', { concurrency: null }],
    ['ratePerSecond', { ratePerSecond: 0 }],
    ['ratePerSecond', { ratePerSecond: Number.NaN }],
    ['gaps', { gaps: 99 }],
    ['gaps', { gaps: null }],
    ['stopAfterFailures', { stopAfterFailures: 0 }],
    ['stopAfterFailures', { stopAfterFailures: Number.NaN }],
    ['retry.times', { retry: { times: 21, delayMs: 0 } }],
    ['retry.delayMs', { retry: { times: 0, delayMs: 600_001 } }],
    ['failures', { failures: '6xx' }],
    ['failures', { failures: '4xx, teapot' }],
  ] as const)('%s is told when the host would refuse it', (field, options) => {
    expect([...judged(options, { keepGaps: true }).wrong.keys()]).toEqual([`options.${field}`])
    expect(judged(options, { keepGaps: true }).params).toBeUndefined()
  })
})

describe('an edited copy of a delivery', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const host = { key: 0, name: 'Host', value: '127.0.0.1', secret: false, kept: null }
  const secret = { key: 1, name: 'X-Secret', value: 's', secret: true, kept: null }
  const body = bodyDraftOf(bytes('{"a":1.50}'), [])
  const original = { method: 'POST', url: '/hook?x=1', headers: [host, secret], body }
  const withText = (of: typeof body, text: string) => ({ ...original, body: { ...of, text } })
  const edited = (part: Partial<typeof original>) => editOf({ ...original, ...part }, original)

  test('only what was changed is part of it; of headers the whole list, in order, secrets with their values', () => {
    expect(edited({ headers: [host, secret] })).toBeUndefined()
    expect(edited({ method: 'PUT' })).toEqual({ method: 'PUT' })
    expect(edited({ url: '/other' })).toEqual({ url: '/other' })
    expect(edited(withText(body, '{"ñ":2}'))).toEqual({ bodyBase64: btoa('{"\xc3\xb1":2}') })
    expect(edited({ headers: [secret, { ...host, value: 'h' }] })?.headers).toEqual([
      ['X-Secret', 's'],
      ['Host', 'h'],
    ])
  })

  test('what was put back as received is no longer changed', () => {
    expect(changedParts(withText(body, 'x'), original)).toEqual(new Set(['body']))
    expect(changedParts(withText(body, '{"a":1.50}'), original)).toEqual(new Set())
  })

  test('CR LF at every line end comes back at every line end; a byte order mark stays', () => {
    const crlf = bodyDraftOf(bytes('{\r\n"a":1\r\n}'), [])
    expect(crlf).toMatchObject({ original: '{\n"a":1\n}' })
    const edit = editOf(withText(crlf, '{\n"a":2\n}'), { ...original, body: crlf })
    expect(atob(edit?.bodyBase64 ?? '')).toBe('{\r\n"a":2\r\n}')
    expect(bodyDraftOf(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d), [])).toMatchObject({ text: '\ufeff{}' })
  })

  test.each([
    ['mixed line ends', bytes('a\r\nb\nc'), [], 'lineEnds'],
    ['a lone CR', bytes('a\rb'), [], 'lineEnds'],
    ['bytes that are no UTF-8', Uint8Array.of(0x7b, 0xff), [], 'binary'],
    ['a NUL', bytes('a\0b'), [], 'binary'],
    ['a coding', bytes('{}'), ['gzip'], 'coded'],
    ['more than a MiB', new Uint8Array(EDITED_MOST + 1), [], 'large'],
    ['what was not read', undefined, [], 'large'],
  ] as const)('%s is not editable: a text field could not give it back', (_, given, codings, why) =>
    expect(bodyDraftOf(given, codings)).toEqual({ editable: false, why }),
  )

  test('the host would refuse only what was changed: a delivery may have come with anything', () => {
    const wrong = (draft: typeof original, from = original, times: number | null = 1) =>
      Object.fromEntries(judge(editForm(7, from, 1), { ...draft, times }).wrong)
    const odd = { ...original, method: 'BAD METHOD', headers: [{ ...host, name: 'a b' }] }
    expect(wrong(odd, odd)).toEqual({})
    expect(wrong({ ...original, method: 'Connect' })).toEqual({ method: 'method' })
    expect(wrong({ ...original, url: 'no-slash', method: 'A B' })).toEqual({ method: 'method', url: 'url' })
    const headers = [...original.headers, { ...host, name: 'a b', value: 'x\ny' }]
    expect(wrong({ ...original, headers })).toEqual({
      'header-name-2': 'headerName',
      'header-value-2': 'headerValue',
    })
    for (const times of [0, 101, null]) expect(wrong(original, original, times)).toEqual({ times: 'times' })
  })
})

describe('where a replay goes', () => {
  test('a URL that is kept is named after its host and port, once', () => {
    expect(nameForUrl('http://127.0.0.1:3000/hook', [])).toBe('127-0-0-1-3000')
    expect(nameForUrl('http://[::1]:80/', ['1', '1-2'])).toBe('1-3')
    expect(nameForUrl('http://localhost:3000/', ['localhost-3000'])).toBe('localhost-3000-2')
  })

  test('the default target is offered, else the first, else a URL', () => {
    const targets = [{ name: 'a' }, { name: 'b' }] as never
    expect([firstChoice(targets, 'b').chosen, firstChoice(targets, null).chosen]).toEqual(['b', 'a'])
    expect(firstChoice([], null).chosen).toBe(TYPED)
  })

  test.each([
    ['localhost:3000', null, 'http://localhost:3000'],
    [' 127.0.0.1:3000/hook?a=1 ', null, 'http://127.0.0.1:3000/hook?a=1'],
    ['[::1]:8080/', null, 'http://[::1]:8080/'],
    ['https://localhost:3000/', null, 'https://localhost:3000/'],
    [' https://example.com ', null, 'https://example.com'],
    ['', 'missing', null],
    ['example:3000', 'notHttp', null],
    ['localhosts:3000', 'notHttp', null],
    ['ftp://example.com/', 'notHttp', null],
    ['http://ana:secret@example.com/', 'credentials', null],
  ])('%j typed as a URL, which an address of this computer is without its scheme', (typed, problem, url) => {
    expect(urlProblem(typed)).toBe(problem)
    expect(referenceOf({ chosen: TYPED, typed })).toBe(url)
  })

  test.each([
    ['https://erp.example/hook', false, 'erp.example'],
    ['https://erp.example/hook', true, null],
    ['http://127.0.0.1:3000/hook', false, null],
  ] as const)('of %s (credentials kept: %s): %s gets none', (url, keepCredentials, host) => {
    const target = { ...DEFAULT_TARGET, name: 'erp', url, keepCredentials }
    expect(withholdingHost({ chosen: 'erp', typed: '' }, [target])).toBe(host)
    if (!keepCredentials) expect(withholdingHost({ chosen: TYPED, typed: url }, [])).toBe(host)
  })
})
