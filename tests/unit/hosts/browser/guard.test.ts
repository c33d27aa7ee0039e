import fc from 'fast-check'
import { expect, test } from 'vitest'
import { guard } from '#hosts/browser/guard.ts'
import { runs } from '../../../support/depth.ts'

// Against an independent reader of addresses (the URL parser): whatever the guard lets through must mean loopback to it as well.

const piece = fc.constantFrom(
  '127.0.0.1',
  'localhost',
  '[::1]',
  ':',
  '4401',
  '.',
  '@',
  '/',
  '\\',
  '#',
  '?',
  'evil.example',
  ' ',
  '%',
  '1',
  '0',
  ',',
  '\t',
)
const nearMiss = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''))
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

test('no Host that means another machine gets through', () => {
  fc.assert(
    fc.property(fc.oneof(nearMiss, fc.string()), (host) => {
      const checked = guard({ method: 'GET', url: '/', rawHeaders: ['Host', host] })
      if (!checked.ok) return
      expect(LOOPBACK).toContain(URL.parse(`http://${checked.host}/`)?.hostname ?? 'localhost')
    }),
    { numRuns: runs(3_000) },
  )
})

test('no Origin but our own gets through', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        nearMiss,
        fc.string(),
        nearMiss.map((rest) => `http://127.0.0.1:4401${rest}`),
      ),
      (origin) => {
        const checked = guard({
          method: 'GET',
          url: '/',
          rawHeaders: ['host', '127.0.0.1:4401', 'ORIGIN', origin],
        })
        expect(checked.ok).toBe(origin.toLowerCase() === 'http://127.0.0.1:4401')
      },
    ),
    { numRuns: runs(3_000) },
  )
})

test('no target that leads elsewhere gets through', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        nearMiss,
        fc.string(),
        nearMiss.map((rest) => `/${rest}`),
      ),
      (url) => {
        const checked = guard({ method: 'GET', url, rawHeaders: ['Host', 'localhost:1'] })
        if (!checked.ok) return
        expect(url.startsWith('/')).toBe(true)
        expect(new URL(url, 'http://localhost:1').origin).toBe('http://localhost:1')
      },
    ),
    { numRuns: runs(3_000) },
  )
})
