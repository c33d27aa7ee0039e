import { createServer, type Server } from 'node:net'
import { messageOf } from '#contract/errors.ts'
import type { ListenFailure } from '#contract/status.ts'

/** Ports beyond the wanted one that are tried for an offer. */
const PORTS_TRIED = 20
/** Below it a system may let only an administrator listen. */
const FIRST_FREE_FOR_ALL = 1024

/**
 * Node accepts one connection in each turn of the event loop. Beyond the backlog, a sender's first packet is dropped, and it tries
 * again after 1, 3 and 7 s. Systems cap it: Linux at 4,096.
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

/** Resolves to the port taken. @throws what the system says */
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

/** Says why an address cannot be had and which port can. */
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

/** An address to open or to paste on this machine; the wildcard addresses are no address to go to. */
export function urlOf(host: string, port: number, secure = false): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  // RFC 6874: the "%" before a zone is itself percent-encoded.
  const name = reachable.includes(':') ? `[${reachable.replace('%', '%25')}]` : reachable
  return `${secure ? 'https' : 'http'}://${name}:${port}/`
}
