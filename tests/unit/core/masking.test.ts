import { describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { Settings } from '#contract/settings.ts'
import { createMasking, maskedNamesOf } from '#core/masking.ts'
import { words } from '../../support/words.ts'

const under = (change: Partial<Settings> = {}) => {
  const settings: Settings = { ...DEFAULT_SETTINGS, ...change }
  return createMasking(() => maskedNamesOf(settings))
}
const masking = under()

describe('names that carry credentials (docs/guide/inspect.md, Masked values)', () => {
  const MASKED = words(`
    Authorization AUTHORIZATION Proxy-Authorization X-Forwarded-Authorization Cookie Set-Cookie
    X-Api-Key apikey api_key apiKey key X-Webhook-Secret client_secret X-Token token access_token
    X-CSRF-Token Password passwd pwd pass X-Auth auth sig X-Hub-Signature sessionid PHPSESSID
    JSESSIONID sid jwt code contraseña clave X-Acuse-Key X-Goog-Credential X-Pin
  `)
  const SHOWN = words(`
    Host Content-Type User-Agent Idempotency-Key Sec-WebSocket-Key X-Public-Key author keyboard
    X-Request-Id traceparent X-Forwarded-For ETag page X-Tenant encoding WWW-Authenticate
  `)
  test.each(MASKED)('%s is masked as a header and as a parameter', (name) => {
    const header = masking.header({ name, value: 'canary-1' })
    expect(header).toEqual({ name, value: '8 characters', masked: true })
    expect(masking.target(`/h?a=1&${name}=canary-1&b=2`)).toBe(`/h?a=1&${name}=<masked: 8 characters>&b=2`)
  })
  test.each(SHOWN)('%s is shown', (name) => {
    expect(masking.header({ name, value: 'v-1' })).toEqual({ name, value: 'v-1', masked: false })
    expect(masking.target(`/h?${name}=v-1`)).toBe(`/h?${name}=v-1`)
  })
  test('the user adds names, and shows what the list would mask; a secret header of an endpoint stays masked', () => {
    const [main] = DEFAULT_SETTINGS.endpoints
    const edited = under({
      masking: { names: ['X-Odd-*', '!key', '!X-Hook'] },
      endpoints: main ? [{ ...main, secret: { header: 'X-Hook', values: 1 } }] : [],
      formerSecretHeaders: ['x-was'],
    })
    const shown = (name: string) => !edited.header({ name, value: 'v' }).masked
    const names = ['X-Odd-One', 'key', 'X-Api-Key', 'X-Hook', 'X-Was']
    expect(names.filter(shown)).toEqual(['key'])
  })
})

describe('a request target', () => {
  test.each([
    ['a name in percent encoding', '/h?%74oken=canary'],
    ['part of a name in percent encoding', '/h?t%6fken=canary'],
    ['brackets', '/h?user[password]=canary'],
    ['a semicolon within the value', '/h?token=a;canary'],
    ['a number sign within the value', '/h?token=a#canary'],
    ['a comma within the value', '/h?token=a,canary'],
    ['semicolons between parameters', '/h?a=1;token=canary'],
    ['a second question mark', '/h?a=1?token=canary'],
    ['a parameter of the path', '/h;jsessionid=canary/x?b=2'],
    ['a fragment', '/h#access_token=canary'],
    ['a URL within a parameter', '/h?next=https%3A%2F%2Fa%2F%3Ftoken%3Dcanary'],
    ['a URL encoded twice', '/h?next=https%253A%252F%252Fa%252F%253Ftoken%253Dcanary'],
    ['parameters within parameters without end', `/h?${'a=b?'.repeat(20_000)}token=canary`],
    ['a user and password', 'http://user:canary@host/h'],
    ['a password with an at sign', 'http://user:p@canary@host/h'],
  ])('is covered where its credential is %s', (_, target) => {
    expect(masking.target(target)).not.toContain('canary')
    expect(masking.target(target)).toContain('<masked: ')
  })
  test.each(['/', '/a?b=1&c=d;e', '*', '/@user/x', '/a?token', '/a?token=&b=1', '/a?mail=a@b.c'])(
    '%j stays as it came',
    (target) => expect(masking.target(target)).toBe(target),
  )
})

test.each(['Bearer canary-123', 'Basic Y2FuYXJ5OmE=', 'https://a/?token=canary', 'a=1; session=canary'])(
  'a header of any name is masked by the form of its value: %j',
  (value) => expect(masking.header({ name: 'X-Any', value }).masked).toBe(true),
)

test.each(['text/plain; charset=utf-8', 'max-age=0, no-cache', 'Basic plan', 'bytes=0-1', 'a@b.example'])(
  'a header with the value %j is shown',
  (value) => expect(masking.header({ name: 'X-Any', value }).masked).toBe(false),
)

describe('a head', () => {
  test.each([
    ...['Authorization: Bearer canary', 'AUTHORIZATION:canary', 'cookie:\tcanary', 'Set-Cookie:  canary'],
    ...['X-Api-Key:canary', 'X-Token : canary', 'X-Token: a\r\n canary', 'Referer: http://a/?key=canary'],
  ])('is shown without what %j says, however its colon is followed (reliability, row 21)', (line) => {
    for (const end of ['\r\n', '\n']) {
      const shown = masking.head(`GET /a:b?token=canary HTTP/1.1${end}Host: a${end}${line}${end}`)
      expect(shown).not.toContain('canary')
      expect(shown).toContain('Host: a')
    }
  })
  test('keeps every other line as it came', () => {
    const head = 'POST http://a:1/x-api-key:1 HTTP/1.1\r\nX-Api-Keys: 1\r\nEmpty:\r\n: x\r\nno colon\r\n\r\n'
    expect(masking.head(head)).toBe(head)
  })
})
