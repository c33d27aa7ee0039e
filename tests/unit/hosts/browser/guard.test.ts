import fc from 'fast-check'
import { expect, test } from 'vitest'
import { guard } from '#hosts/browser/guard.ts'
import { forAll } from '../../../support/for-all.ts'

// Compared with an independent parser (URL): each host that the guard accepts must mean loopback there too.

const PIECES = ['127.0.0.1', 'localhost', '[::1]', 'evil.example', '4401', ' ', '\t', ...':.@/\\#?%10,']
const piece = fc.constantFrom(...PIECES)
const nearMiss = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''))
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

const holds = (texts: fc.Arbitrary<string>, check: (text: string) => void) =>
  forAll(3_000, [fc.oneof(nearMiss, fc.string(), texts)], check)

test('no Host that means another machine gets through', () =>
  holds(nearMiss, (host) => {
    const checked = guard({ method: 'GET', url: '/', rawHeaders: ['Host', host] })
    if (checked.ok) expect(LOOPBACK).toContain(URL.parse(checked.origin)?.hostname ?? 'localhost')
  }))

test('no Origin but our own gets through', () => {
  const own = 'http://127.0.0.1:4401'
  holds(
    nearMiss.map((rest) => own + rest),
    (origin) => {
      const rawHeaders = ['host', '127.0.0.1:4401', 'ORIGIN', origin]
      expect(guard({ method: 'GET', url: '/', rawHeaders }).ok).toBe(origin.toLowerCase() === own)
    },
  )
})

test('no target that leads elsewhere gets through', () =>
  holds(
    nearMiss.map((rest) => `/${rest}`),
    (url) => {
      if (!guard({ method: 'GET', url, rawHeaders: ['Host', 'localhost:1'] }).ok) return
      const origin = 'http://localhost:1'
      expect([url.slice(0, 1), new URL(url, origin).origin]).toEqual(['/', origin])
    },
  ))
