import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { analyse } from '#core/checks/analyse.ts'
import { curlLine, quoted, sampleEvent } from '@/features/stream/empty-stream.tsx'

const now = new Date('2026-11-20T14:42:18.311Z')

test('the sample event is judged valid, with the present instant and an offset as its Timestamp', () => {
  const sample = sampleEvent(now)
  const body = { bytes: new TextEncoder().encode(sample) }
  const { verdict, kind, findings } = analyse({ method: 'POST', contentType: 'application/json', body })
  expect({ verdict, kind, findings }).toEqual({ verdict: 'valid', kind: 'customer.created', findings: [] })
  const { Timestamp } = JSON.parse(sample) as { Timestamp: string }
  expect(Timestamp).toMatch(/[+-]\d\d:\d\d$/)
  expect(Math.abs(Date.parse(Timestamp) - now.getTime())).toBeLessThan(1000)
})

test.each(["it's", '$(id) `id` "x"', 'a\\b\nc', "''"])('a shell reads back %j as it was quoted', (text) =>
  expect(execFileSync('sh', ['-c', `printf %s ${quoted(text)}`]).toString()).toBe(text),
)

test('an endpoint with a secret header gets its name into the line, never a value', () => {
  const line = (secretHeader: string | null) => curlLine({ url: 'http://127.0.0.1:4400/', secretHeader, now })
  expect(line('X-Hook')).toContain("-H 'X-Hook: YOUR-SECRET'")
  expect(line(null)).not.toContain('YOUR-SECRET')
})
