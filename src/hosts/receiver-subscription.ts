import type { SandboxHeader } from '#contract/sandbox.ts'
import type { EndpointBook } from '#core/endpoints.ts'
import type { Receiver } from '#core/ports.ts'
import { callSandbox, type SandboxAddress } from '#outbound/sandbox-client.ts'
import type { SandboxMemory } from './memories.ts'

export interface ReceiverAddress {
  readonly url: string
  readonly secret: { readonly header: string; readonly value: string } | null
}

/** @returns where the receiver takes deliveries of the main endpoint; null while it does not listen */
export function addressOf(receiver: Receiver, endpoints: EndpointBook): ReceiverAddress | null {
  const state = receiver.state()
  if (state.state !== 'listening') return null
  const main = endpoints.all().find(({ path }) => path === '/')
  const [value] = main?.accepted ?? []
  const secret = main?.secret && value !== undefined ? { header: main.secret.header, value } : null
  return { url: state.url, secret }
}

type Remembered = SandboxMemory['subscription']

const NAME = 'Acuse receiver'

/**
 * Keeps the receiver subscribed to the sandbox. The first call subscribes to all 28 kinds; later calls update only address and secret, so
 * the user's changes stay. After the user has removed or redirected the subscription, only a `demanded` call restores it.
 */
export async function subscribeReceiver(
  sandbox: SandboxAddress,
  { url, secret }: ReceiverAddress,
  remembered: Remembered,
  demanded: boolean,
): Promise<Remembered> {
  const header = secret?.header ?? null
  const { subscriptions } = await callSandbox(sandbox, 'sandbox.subscriptions', {})
  const present = subscriptions.find(({ id }) => id === remembered?.id)
  const theirs = remembered !== null && present?.url !== remembered.url
  if (theirs && !demanded) return remembered
  const settings = present
    ? { id: present.id, url, headers: withSecret(present.headers, remembered?.header ?? null, secret) }
    : { name: NAME, url, headers: withSecret([], null, secret) }
  const { id } = await callSandbox(sandbox, 'sandbox.save-subscription', settings)
  return { id, url, header }
}

function withSecret(
  headers: readonly Pick<SandboxHeader, 'name' | 'value'>[],
  before: string | null,
  secret: ReceiverAddress['secret'],
): { readonly name: string; readonly value: string }[] {
  const outdated = new Set([before, secret?.header].map((name) => name?.toLowerCase()))
  return [
    ...headers
      .filter(({ name }) => !outdated.has(name.toLowerCase()))
      .map(({ name, value }) => ({ name, value })),
    ...(secret ? [{ name: secret.header, value: secret.value }] : []),
  ]
}
