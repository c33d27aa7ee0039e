import { expect, test } from 'vitest'
import { isIssuedSince } from '#core/reconcile/judge.ts'

test('what was issued after a sweep began could not be in its answer', () => {
  const row = { class: 'webhook-only', issuedAt: 2_000_001 } as const
  const sweep = { startedAt: 2_000 }
  expect(isIssuedSince(row, sweep)).toBe(true)
  expect(isIssuedSince({ ...row, issuedAt: 2_000_000 }, sweep)).toBe(false)
  expect(isIssuedSince({ ...row, issuedAt: null }, sweep)).toBe(false)
  expect(isIssuedSince({ ...row, class: 'matched' }, sweep)).toBe(false)
})
