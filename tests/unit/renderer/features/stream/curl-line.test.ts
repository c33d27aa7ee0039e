import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { analyse } from '#core/checks/analyse.ts'
import { curlLine, quoted, sampleEvent } from '../../../../../renderer/src/features/stream/curl-line.ts'

const now = new Date('2026-11-20T14:42:18.311Z')

test('the sample event is judged valid, so that the first delivery anyone sees is a good one', () => {
  const body = { bytes: new TextEncoder().encode(sampleEvent(now)) }
  const { verdict, kind, findings } = analyse({ method: 'POST', contentType: 'application/json', body })
  expect({ verdict, kind, findings }).toEqual({ verdict: 'valid', kind: 'customer.created', findings: [] })
})

test('its Timestamp is the present instant with an offset (readings, The envelope)', () => {
  const { Timestamp } = JSON.parse(sampleEvent(now)) as { Timestamp: string }
  expect(Timestamp).toMatch(/[+-]\d\d:\d\d$/)
  expect(Math.abs(Date.parse(Timestamp) - now.getTime())).toBeLessThan(1000)
})

test('a shell reads back exactly what was quoted', () => {
  for (const text of ["it's", '$(id) `id` "x"', 'a\\b\nc', "''"])
    expect(execFileSync('sh', ['-c', `printf %s ${quoted(text)}`]).toString()).toBe(text)
})

test('an endpoint with a secret header gets its name into the line, never a value', () => {
  const line = curlLine({ url: 'http://127.0.0.1:4400/', secretHeader: 'X-Hook', now })
  expect(line).toContain("-H 'X-Hook: YOUR-SECRET'")
  expect(curlLine({ url: 'http://127.0.0.1:4400/', secretHeader: null, now })).not.toContain('YOUR-SECRET')
})
