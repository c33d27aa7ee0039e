import { describe, expect, test } from 'vitest'
import {
  FORBIDDEN_CLASSES,
  FORBIDDEN_RANGES,
  isLoopbackHost,
  isLoopbackName,
} from '#core/replay/destination.ts'
import { words } from '../../../support/words.ts'

describe('what is never sent to, as data (reliability 20)', () => {
  const has = (network: string, prefix: number) =>
    FORBIDDEN_RANGES.some((range) => range.network === network && range.prefix === prefix)

  test('each class has ranges of both families', () => {
    for (const cls of FORBIDDEN_CLASSES)
      for (const family of ['ipv4', 'ipv6'])
        expect(
          FORBIDDEN_RANGES.some((range) => range.class === cls && range.family === family),
          `${cls} ${family}`,
        ).toBe(true)
  })

  test.each([
    ['169.254.0.0', 16],
    ['fe80::', 10],
    ['fd00:ec2::254', 128],
    ['100.100.100.200', 32],
    ['255.255.255.255', 32],
    ['::', 128],
  ])('%s/%i', (network, prefix) => expect(has(network, prefix)).toBe(true))

  test.each([
    ['::ffff:a9fe:0', 112],
    ['::a9fe:0', 112],
    ['64:ff9b::a9fe:0', 112],
    ['64:ff9b:1::a9fe:0', 112],
    ['2002:a9fe:0::', 32],
    ['2002:6464:64c8::', 48],
  ])('and the IPv6 form %s/%i of an IPv4 range', (network, prefix) => expect(has(network, prefix)).toBe(true))

  test('::1 is none of them: it is where replays mostly go', () => expect(has('::0:0', 104)).toBe(false))
})

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
