import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCliHere } from '../../../support/cli-here.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

const acuse = (args: readonly string[], stdin = '') =>
  runCliHere([...args, '--data', join(tempFolder(), 'data')], { stdin })
const WARNING = /Warning: (\S+) is plain HTTP beyond this computer\. .*; use HTTPS\./

describe('an http:// address beyond this computer is stored with a warning (readings, Delivery)', () => {
  const file = JSON.stringify({
    receiver: { publicUrl: 'http://hooks.example/a' },
    connections: [{ name: 'erp', baseUrl: 'http://service.example' }],
  })
  test.each([
    ['config set receiver.publicUrl', 'http://hooks.example/in', 'the secret header'],
    ['connections set erp --base-url', 'http://192.168.1.20:8080', 'the API key'],
  ])('%s %s', async (command, address, exposed) => {
    const { code, stderr } = await acuse([...command.split(' '), address])
    expect([code, WARNING.exec(stderr)?.[1]]).toEqual([0, address])
    expect(stderr).toContain(exposed)
  })

  test('config apply, each of them', async () => {
    const { code, stderr } = await acuse(['config', 'apply', '-'], file)
    expect(code).toBe(0)
    expect([...stderr.matchAll(new RegExp(WARNING, 'g'))].map(([, address]) => address)).toEqual([
      'http://hooks.example/a',
      'http://service.example',
    ])
  })

  test.each([
    ['config set receiver.publicUrl', 'https://hooks.example/in'],
    ['config set receiver.publicUrl', 'http://127.0.0.1:4400/'],
    ['connections set erp --base-url', 'https://service.example'],
    ['connections set erp --base-url', 'http://localhost:4402'],
  ])('none for %s %s', async (command, value) => {
    const { code, stderr } = await acuse([...command.split(' '), value])
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(WARNING)])
  })
})
