import { onTestFinished } from 'vitest'
import { type Sandbox, type ServiceOptions, startService } from '#sandbox/sandbox.ts'
import { SandboxClient } from './sandbox-client.ts'
import { type WorldDouble, worldDouble } from './world-double.ts'

export interface RunningService {
  readonly sandbox: Sandbox
  readonly world: WorldDouble
  readonly client: SandboxClient
  /** What it said to the person so far. */
  readonly warnings: readonly string[]
}

/** The service around a double of the world, on a free port, gone after the test. */
export async function runningService(options: Partial<ServiceOptions> = {}): Promise<RunningService> {
  const world = worldDouble()
  const warnings: string[] = []
  const sandbox = await startService(world, {
    records: ':memory:',
    host: '127.0.0.1',
    port: 0,
    now: Date.now,
    deliveryTimeoutMs: 10_000,
    credentials: {},
    warn: (message) => void warnings.push(message),
    ...options,
  })
  onTestFinished(() => sandbox.close())
  return { sandbox, world, client: new SandboxClient(sandbox), warnings }
}
