import { createServer, type Server } from 'node:net'
import { messageOf } from '#contract/errors.ts'
import type { ListenFailure } from '#contract/status.ts'

/** Ports after the wanted one to try, to suggest a free one. */
const PORTS_TRIED = 20
/** Lower ports may be reserved for administrators. */
const FIRST_FREE_FOR_ALL = 1024

/**
 * Node accepts one connection per turn of the event loop. Beyond the backlog, the system drops a sender's first packet; the sender tries
 * again after 1, 3 and 7 s. Systems cap the backlog: Linux at 4,096.
 */
const BACKLOG = 4_096

const CODES: Readonly<Record<string, ListenFailure['code']>> = {
  EADDRINUSE: 'port-in-use',
  EACCES: 'no-permission',
  EPERM: 'no-permission',
  EADDRNOTAVAIL: 'bad-address',
  EAFNOSUPPORT: 'bad-address',
  EINVAL: 'bad-address',
  ENOTFOUND: 'bad-address',
  EAI_AGAIN: 'bad-address',
  EAI_FAIL: 'bad-address',
  ENODATA: 'bad-address',
  ERR_SOCKET_BAD_PORT: 'bad-address',
  ERR_INVALID_ARG_VALUE: 'bad-address',
}

/** Resolves to the port in use. @throws the system's error */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => reject(error)
    server.once('error', failed)
    server.listen({ host, port, exclusive: true, backlog: BACKLOG }, () => {
      server.removeListener('error', failed)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

/** Explains why an address is not available, and suggests a free port. */
export async function listenFailure(host: string, port: number, error: unknown): Promise<ListenFailure> {
  const code = CODES[codeOf(error)] ?? 'failed'
  const offer = code === 'port-in-use' || code === 'no-permission'
  return {
    code,
    host,
    port,
    message: messageOf(error),
    nextFreePort: offer ? await nextFreePort(host, port, code === 'no-permission') : null,
  }
}

async function nextFreePort(host: string, port: number, unprivileged: boolean): Promise<number | null> {
  const first = unprivileged ? Math.max(port + 1, FIRST_FREE_FOR_ALL) : port + 1
  for (let tried = first; tried < first + PORTS_TRIED && tried <= 65_535; tried++)
    if (await isFree(host, tried)) return tried
  return null
}

async function isFree(host: string, port: number): Promise<boolean> {
  const probe = createServer()
  try {
    await listen(probe, host, port)
  } catch {
    return false
  }
  await new Promise((resolve) => probe.close(resolve))
  return true
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** A URL to open on this machine; replaces wildcard addresses, which cannot be opened. */
export function urlOf(host: string, port: number, secure = false): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  // RFC 6874: the "%" before a zone must itself be percent-encoded.
  const name = reachable.includes(':') ? `[${reachable.replace('%', '%25')}]` : reachable
  return `${secure ? 'https' : 'http'}://${name}:${port}/`
}
