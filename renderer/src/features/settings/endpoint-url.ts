import type { Settings } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'

/** What to give to the service for a path: the address that is listened on, or the one that would be. */
export function endpointUrl(settings: Settings, status: HostStatus, path: string): string {
  const { host, port } = settings.receiver
  const base =
    status.receiver.state === 'listening'
      ? status.receiver.url
      : `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}/`
  return base.replace(/\/$/, '') + path
}
