import { onTestFinished } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '#sandbox/sandbox.ts'
import { type HookAnswer, hookReceiver } from './hook-receiver.ts'
import { SandboxClient } from './sandbox-client.ts'

export async function runningSandbox(
  options: Partial<SandboxOptions> = {},
): Promise<{ sandbox: Sandbox; client: SandboxClient }> {
  const sandbox = await createSandbox({ file: ':memory:', seed: 1, port: 0, ...options })
  onTestFinished(() => sandbox.close())
  return { sandbox, client: new SandboxClient(sandbox) }
}

/** As `runningSandbox`, with a receiver that is subscribed. @param more further members of the subscription */
export async function subscribedSandbox(
  more: object = {},
  answer?: HookAnswer,
  options: Partial<SandboxOptions> = {},
) {
  const [service, hook] = [await runningSandbox(options), await hookReceiver(answer)]
  await service.client.admin('POST', '/subscriptions', { url: hook.url, ...more })
  return { ...service, hook }
}
