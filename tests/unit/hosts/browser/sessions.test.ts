import { expect, test } from 'vitest'
import { Sessions } from '#hosts/browser/sessions.ts'

const MINUTE = 60_000

test('several links may be outstanding, each with 256 bits, and each opens one session, once', () => {
  const sessions = new Sessions()
  const tokens = [sessions.newToken(), sessions.newToken()]
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  const keys = tokens.map((token) => sessions.redeem(token))
  expect(new Set(keys).size).toBe(2)
  expect(keys.map((key) => sessions.knows(key ?? ''))).toEqual([true, true])
  expect(tokens.map((token) => sessions.redeem(token))).toEqual([undefined, undefined])
})

test('a link that was not opened is worthless after ten minutes; a session outlives its link', () => {
  let now = 0
  const sessions = new Sessions(() => now)
  const early = sessions.newToken()
  now = 9 * MINUTE
  const late = sessions.newToken()
  now = 10 * MINUTE
  expect(sessions.redeem(early)).toBeUndefined()
  const key = sessions.redeem(late)
  now = 1_000 * MINUTE
  expect(sessions.knows(key ?? '')).toBe(true)
})

test('links asked for without end do not fill memory; the newest stay good', () => {
  const sessions = new Sessions()
  const tokens = Array.from({ length: 300 }, () => sessions.newToken())
  expect(sessions.redeem(tokens[0] ?? '')).toBeUndefined()
  expect(sessions.redeem(tokens[299] ?? '')).toBeDefined()
})
