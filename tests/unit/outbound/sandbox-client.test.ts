import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { Params, Result } from '#contract/commands.ts'
import type { SandboxCallName } from '#contract/sandbox-commands.ts'
import { callSandbox, type SandboxAddress } from '#outbound/sandbox-client.ts'
import { listening } from '../../support/hook-receiver.ts'
import { runningSandbox } from '../../support/running-sandbox.ts'

async function sandboxAt() {
  const { sandbox } = await runningSandbox()
  const address = { url: sandbox.url, adminToken: sandbox.adminToken }
  const call = <C extends SandboxCallName>(command: C, params: Params<C>): Promise<Result<C>> =>
    callSandbox(address, command, params)
  return { sandbox, address, call }
}

/** Something on the sandbox's port that answers like no sandbox. */
async function stranger(status: number, body: string): Promise<SandboxAddress> {
  const server = createServer((_, response) => response.writeHead(status).end(body))
  const port = await listening(server)
  return { url: `http://127.0.0.1:${port}`, adminToken: 'x' }
}

const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('it was not refused'),
    ({ code, message, details }) => ({ code, message, details }),
  )

describe('refusals', () => {
  test('a wrong token is forbidden, and stands in no message', async () => {
    const { address } = await sandboxAt()
    const wrong = { ...address, adminToken: 'admin_canary' }
    const refusal = await refusalOf(callSandbox(wrong, 'sandbox.state', {}))
    expect(refusal.code).toBe('forbidden')
    expect(JSON.stringify(refusal)).not.toContain('canary')
  })

  test('content that is too deep to be written is refused, not thrown at', async () => {
    const { call } = await sandboxAt()
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    expect((await refusalOf(call('sandbox.emit', { kind: 'factura.created', data: deep }))).code).toBe(
      'bad-params',
    )
  })

  test('a sandbox that is gone, or is none, is not available', async () => {
    const { sandbox, call } = await sandboxAt()
    await sandbox.close()
    expect(await refusalOf(call('sandbox.state', {}))).toMatchObject({
      code: 'not-available',
      message: expect.stringContaining(sandbox.url),
    })
    for (const [status, body] of [
      [200, '<html>'],
      [404, 'Not found'],
      [500, '{"message":"no"}'],
      [500, 'null'],
    ] as const) {
      const refusal = await refusalOf(callSandbox(await stranger(status, body), 'sandbox.state', {}))
      expect([body, refusal.code]).toEqual([body, 'not-available'])
    }
  })
})
