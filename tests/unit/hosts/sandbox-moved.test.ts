import { expect, test } from 'vitest'
import type { Params } from '#contract/commands.ts'
import { DEFAULT_CONNECTION, DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { followSandbox } from '#hosts/assemble.ts'

test('connections to the sandbox follow it and keep their credentials; others stay as they are', async () => {
  const at = (name: string, baseUrl: string) => ({
    ...DEFAULT_CONNECTION,
    ...({ name, baseUrl, apiKey: 'stored', pluginToken: 'environment' } as const),
  })
  const saved: Params<'connections.save'>[] = []
  await followSandbox(
    [
      at('sandbox', 'http://127.0.0.1:4402'),
      at('real', 'https://api.example.test'),
      at('longer', 'http://127.0.0.1:44021'),
    ],
    'http://127.0.0.1:4402',
    'http://127.0.0.1:4403',
    async (params) => {
      saved.push(params)
      return DEFAULT_SETTINGS
    },
  )
  expect(saved).toHaveLength(1)
  expect(saved[0]).toMatchObject({
    ...{ previousName: 'sandbox', name: 'sandbox', baseUrl: 'http://127.0.0.1:4403' },
  })
  // Absent keeps the present one.
  expect(saved[0]).not.toHaveProperty('apiKey')
  expect(saved[0]).not.toHaveProperty('pluginToken')
})
