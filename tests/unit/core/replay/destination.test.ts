import { describe, expect, test } from 'vitest'
import { isLoopbackHost, isLoopbackName } from '#core/replay/destination.ts'
import { words } from '../../../support/words.ts'

describe('loopback by its name or its address', () => {
  test.each(
    words(`
    localhost LOCALHOST localhost. app.localhost a.b.localhost. 127.0.0.1 127.255.0.9 ::1
    ::ffff:7f00:1 ::ffff:7fff:0
  `),
  )('%s is', (host) => expect(isLoopbackHost(host)).toBe(true))

  test.each([
    ...[...words`local xlocalhost localhost.test 127.0.0.1.test 1127.0.0.1 128.0.0.1 :: ::2 10.0.0.1`, ''],
    ...['::ffff:8f00:1', '::ffff:7:1', '127.test'],
  ])('%s is not', (host) => expect(isLoopbackHost(host)).toBe(false))

  test('an address is no name', () => expect(isLoopbackName('127.0.0.1')).toBe(false))
})
