import { request } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { asError } from '#contract/errors.ts'
import type { AttemptError } from '#contract/replay.ts'
import { failure } from '#core/replay/statuses.ts'
import type { Address } from './address.ts'
import type { DestinationPolicy, Lookup, Resolved } from './destination-policy.ts'
import { type Connecting, ExplainedError, explainConnecting } from './explain.ts'
import { CANCELLED } from './own-ends.ts'
import type { NamedProxy } from './proxies.ts'

/** Where a connection leads and how; connections with the same key are interchangeable. */
export interface Route {
  readonly key: string
  readonly address: Address
  readonly proxy: NamedProxy | null
  readonly acceptAnyCertificate: boolean
  /** Until then node:http reads its answers; milliseconds of performance.now(). */
  oddUntil: number
}

/** State of a connection. Times are milliseconds of performance.now(), or durations in milliseconds. */
export class Connection {
  socket: Socket | null = null
  /** Address and port of the peer, which is the proxy if there is one. */
  address: string | null = null
  lookupMs: number | null = null
  connectMs: number | null = null
  tlsMs: number | null = null
  uses = 0
  idleSince = 0
  idleAtMost = 0
  /** No request waits for the connection any more. */
  abandoned = false
  /** Receives its bytes; null while idle. */
  user: ConnectionUser | null = null

  abandon(): void {
    this.abandoned = true
    this.socket?.destroy()
  }
}

export interface ConnectionUser {
  came(bytes: Buffer): void
  ended(): void
  broke(error: Error): void
}

export interface ConnectionParts {
  readonly lookup: Lookup
  readonly policy: DestinationPolicy
}

/** Resolves and checks the name, connects to a checked address (through a proxy if any), negotiates TLS. @throws ExplainedError */
export async function openConnection(
  { address, proxy, acceptAnyCertificate }: Route,
  connection: Connection,
  { lookup, policy }: ConnectionParts,
): Promise<Socket> {
  const unnamed = policy.checkName(address.hostname)
  if (unnamed) throw new ExplainedError(unnamed)
  const end = proxy ?? address
  if (proxy && !proxy.usable) throw new ExplainedError(unusable(proxy))
  // The proxy resolves the name, which may have no meaning here.
  if (proxy && isIP(address.hostname) !== 0) check(policy, address, [address.hostname])
  const explain =
    (phase: Connecting, by = proxy): Explain =>
    (error) =>
      explainConnecting(error, phase, address, by)
  const started = performance.now()
  const found = await step(lookup(end.hostname), explain('lookup'))
  if (isIP(end.hostname) === 0) connection.lookupMs = performance.now() - started
  const addresses = found.map((one) => one.address)
  if (!proxy) check(policy, address, addresses)
  let top = await connected(connection, end, found, explain('connect'))
  if (proxy?.secure) top = await agreedOnTls(connection, top, proxy.hostname, false, explain('tls'))
  if (proxy && address.secure) await tunnelled(connection, top, address, proxy)
  if (!address.secure) return top
  return agreedOnTls(connection, top, address.hostname, acceptAnyCertificate, explain('tls', null))
}

type Explain = (error: Error) => AttemptError

function check(policy: DestinationPolicy, { hostname, port }: Address, addresses: readonly string[]): void {
  const problem = policy.checkAddresses(hostname, port, addresses)
  if (problem) throw new ExplainedError(problem)
}

async function step<T>(work: Promise<T>, explain: Explain): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new ExplainedError(explain(asError(error)))
  }
}

/** Connects to one of the checked addresses, without resolving the name again. */
function connected(
  connection: Connection,
  { hostname, port }: { readonly hostname: string; readonly port: number },
  found: readonly Resolved[],
  explain: Explain,
): Promise<Socket> {
  if (connection.abandoned) throw new ExplainedError(CANCELLED)
  const started = performance.now()
  const [only] = found
  const socket = connect({
    host: found.length === 1 && only ? only.address : hostname,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 1_000,
    autoSelectFamily: true,
    lookup: (_name, options, give) => {
      if (options.all) give(null, [...found])
      else give(null, only?.address ?? '', only?.family)
    },
  })
  connection.socket = socket
  return settled(socket, 'connect', explain, () => {
    connection.connectMs = performance.now() - started
    const { remoteAddress = '', remotePort = port } = socket
    connection.address = placeOf(remoteAddress, remotePort)
    return socket
  })
}

const placeOf = (host: string, port: number): string =>
  isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`

function agreedOnTls(
  connection: Connection,
  socket: Socket,
  hostname: string,
  acceptAnyCertificate: boolean,
  explain: Explain,
): Promise<Socket> {
  const started = performance.now()
  const secured = connectTls({
    socket,
    host: hostname,
    // RFC 6066 allows names only.
    servername: isIP(hostname) === 0 ? hostname : '',
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: !acceptAnyCertificate,
  })
  connection.socket = secured
  return settled(secured, 'secureConnect', explain, () => {
    connection.tlsMs = (connection.tlsMs ?? 0) + performance.now() - started
    return secured
  })
}

function settled<T>(socket: Socket, event: string, explain: Explain, done: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => {
      stop()
      // A later error is already reported, and must not end the process.
      socket.on('error', () => {})
      socket.destroy()
      reject(new ExplainedError(explain(error)))
    }
    const closed = () => failed(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    const ready = () => {
      stop()
      resolve(done())
    }
    const stop = () => {
      socket.off('error', failed).off('close', closed).off(event, ready)
    }
    socket.on('error', failed).on('close', closed).on(event, ready)
  })
}

/** Asks the proxy for a tunnel to the destination; from then on it only forwards bytes (RFC 9110, 9.3.6). */
function tunnelled(
  connection: Connection,
  socket: Socket,
  address: Address,
  proxy: NamedProxy,
): Promise<void> {
  const end = placeOf(address.hostname, address.port)
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => {
      socket.destroy()
      reject(new ExplainedError(explainConnecting(error, 'tunnel', address, proxy)))
    }
    const call = request({
      method: 'CONNECT',
      path: end,
      headers: ['Host', end, ...(proxy.authorization ? ['Proxy-Authorization', proxy.authorization] : [])],
      setDefaultHeaders: false,
      createConnection: () => socket,
    })
    call.on('connect', (answer, _socket, head) => {
      const status = answer.statusCode ?? 0
      if (status >= 200 && status < 300) {
        if (head.length > 0) socket.unshift(head)
        connection.connectMs = (connection.connectMs ?? 0) + performance.now() - started
        resolve()
      } else {
        socket.destroy()
        reject(new ExplainedError(refusedTunnel(status, answer.statusMessage ?? '', address, proxy)))
      }
    })
    call.on('error', failed)
    const started = performance.now()
    call.end()
  })
}

function refusedTunnel(status: number, text: string, address: Address, proxy: NamedProxy): AttemptError {
  if (status === 407) return askedForCredentials(proxy)
  const { name, variable } = proxy
  const message = `The proxy ${name} (${variable}) did not connect to ${address.origin}: it answered ${`${status} ${text}`.trim()}. Allow the destination there, or name it in NO_PROXY.`
  return failure('proxy', message, { proxy: name, variable, status })
}

/** Also for an answer 407 that comes in place of the target's. */
export function askedForCredentials({ name, variable }: NamedProxy): AttemptError {
  const message = `The proxy ${name} requires a user and a password: add them to ${variable}, as in http://user:password@host:port.`
  return failure('proxy', message, { proxy: name, variable, status: 407 })
}

function unusable({ name, variable }: NamedProxy): AttemptError {
  const message = `${variable} names a proxy that cannot be used (${name}): only http:// and https:// ones can. Correct it, or name the destination in NO_PROXY.`
  return failure('proxy', message, { proxy: name, variable })
}
