import type { MachineAddress } from '#contract/connect.ts'
import { fullUrl } from '#contract/params.ts'
import type { ReceiverState } from '#contract/status.ts'
import { isLoopbackHost } from '../replay/destination.ts'

type Listening = Extract<ReceiverState, { state: 'listening' }>

export const TUNNELS = ['cloudflared', 'ngrok', 'tailscale', 'ssh'] as const
export type Tunnel = (typeof TUNNELS)[number]

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** Command that tunnels to the receiver by its scheme, without checking a certificate that Acuse generated. */
export function tunnelCommand(tunnel: Tunnel, receiver: Listening): string {
  const { protocol, host } = new URL(receiver.url)
  const secure = protocol === 'https:'
  const url = `${protocol}//${host}`
  switch (tunnel) {
    case 'cloudflared':
      return `cloudflared tunnel --url ${url}${secure ? ' --no-tls-verify' : ''}`
    case 'ngrok':
      return `ngrok http ${url}`
    case 'tailscale':
      return `tailscale funnel ${secure ? `https+insecure://${host}` : url}`
    case 'ssh':
      return `ssh -N -R 8080:${host} you@your-server`
  }
}

export function networkUrls(receiver: Listening, addresses: readonly MachineAddress[]): readonly string[] {
  const { protocol } = new URL(receiver.url)
  return addresses
    .filter(({ address, family }) =>
      // "::" accepts IPv4 too on the systems Acuse runs on; "0.0.0.0" accepts IPv4 only.
      isWildcard(receiver.host) ? receiver.host === '::' || family === 4 : address === receiver.host,
    )
    .map(({ address, family }) => `${protocol}//${family === 6 ? `[${address}]` : address}:${receiver.port}/`)
}

export type AddressProblem = 'invalid' | 'credentials' | 'loopback' | 'plain'

/** Only `invalid` and `credentials` make an address unusable. */
export function addressProblem(text: string): AddressProblem | null {
  const url = URL.parse(fullUrl(text))
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'invalid'
  if (url.username || url.password) return 'credentials'
  if (isLoopbackHost(url.hostname.replace(/^\[|\]$/g, ''))) return 'loopback'
  return url.protocol === 'http:' ? 'plain' : null
}
