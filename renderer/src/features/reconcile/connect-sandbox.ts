import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import { api } from '@/shared/live/api.ts'

const NAME = 'sandbox'

/**
 * Makes the sandbox an account to compare with, as a person would: starts it if it is off, issues a key and a plugin's token, and keeps
 * both with a connection of that name.
 * @throws RefusalError
 */
export async function connectSandbox(): Promise<void> {
  const present = await api.call('sandbox.status', {})
  const status = present.running ? present : await api.call('sandbox.start', {})
  if (!status.running) return
  const { key } = await api.call('sandbox.issue-key', { name: 'Acuse Reconcile' })
  const { token } = await api.call('sandbox.install-plugin', { name: 'Acuse Reconcile' })
  const { apiKey: _key, pluginToken: _token, mapping: _mapping, ...terms } = DEFAULT_CONNECTION
  await api.call('connections.save', {
    ...terms,
    name: NAME,
    baseUrl: status.url,
    apiKey: key,
    pluginToken: token,
    mapping: null,
    // It sends at once: what has not arrived by then will not.
    notYetDue: { ...DEFAULT_CONNECTION.notYetDue, returnedMinutes: 0 },
  })
}
