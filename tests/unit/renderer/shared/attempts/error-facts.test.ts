import { expect, test } from 'vitest'
import { errorFacts } from '@/shared/attempts/attempt-words.ts'

const facts = (params: Record<string, string | number>) =>
  errorFacts({ code: 'connection-refused', message: '', params })

test('a failure tells where it happened and the system’s own word for it', () => {
  expect(facts({ host: '127.0.0.1', port: 3000, reason: 'ECONNREFUSED' })).toEqual({
    where: '127.0.0.1:3000',
    reason: 'ECONNREFUSED',
  })
  expect(facts({ host: '::1', port: 3000 }).where).toBe('[::1]:3000')
  expect(facts({ host: 'example.com', reason: 'unknown' })).toEqual({ where: 'example.com', reason: null })
  expect(facts({ proxy: 'http://proxy:8080', host: 'x' }).where).toBe('http://proxy:8080')
  expect(facts({ target: 'app' }).where).toBe('app')
  expect(facts({})).toEqual({ where: null, reason: null })
})
