import { connect, createServer, type Socket } from 'node:net'
import { opened } from './listening-port.ts'

/** The network between a program and a server of this machine. It can be cut without either of them being told, and passes everything on afterwards.
 * @param bytesPerMs of each connection, in each direction */
export async function cutNetwork(to: number, bytesPerMs = Number.POSITIVE_INFINITY) {
  const ends = new Set<Socket>()
  const waiting: (() => void)[] = []
  let isCut = false
  const pass = (act: () => void) => {
    if (isCut) waiting.push(act)
    else act()
  }
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    const join = (from: Socket, other: Socket) => {
      ends.add(from)
      from.on('error', () => {})
      from.on('data', (part) => {
        pass(() => other.write(part))
        if (Number.isFinite(bytesPerMs)) setTimeout(() => from.resume(), part.length / bytesPerMs).unref()
        if (Number.isFinite(bytesPerMs)) from.pause()
      })
      from.on('close', () => pass(() => other.destroy()))
    }
    join(near, far)
    join(far, near)
  })
  const port = await opened(server)
  return {
    url: `postgres://acuse@127.0.0.1:${port}/postgres`,
    cut() {
      isCut = true
    },
    restore() {
      isCut = false
      for (const act of waiting.splice(0)) act()
    },
    [Symbol.dispose]() {
      server.close()
      for (const end of ends) end.destroy()
    },
  }
}

/** A pool of one session of a server, which all clients share from transaction to transaction, as those of pgbouncer do. */
export async function transactionPool(to: number) {
  const far = connect(to, '127.0.0.1')
  let hasGreeted = false
  const greeting = Promise.withResolvers<Buffer>()
  let owner: Socket | undefined
  const waiting: (readonly [Socket, Buffer])[] = []
  const next = () => {
    if (!hasGreeted || owner) return
    const [near, bytes] = waiting.shift() ?? []
    if (!near || !bytes) return
    owner = near
    far.write(bytes)
  }
  far.on('data', (bytes) => {
    if (hasGreeted) owner?.write(bytes)
    else if (bytes.includes(READY)) greeting.resolve(withAnotherPid(bytes))
    hasGreeted ||= bytes.includes(READY)
    if (bytes.subarray(-READY.length).equals(READY)) owner = undefined
    next()
  })
  const server = createServer((near) => {
    near.on('error', () => {})
    near.once('data', (startup) => {
      if (!hasGreeted) far.write(startup)
      void greeting.promise.then((bytes) => near.write(bytes))
      near.on('data', (part) => {
        if (part[0] === END) return
        if (owner === near) far.write(part)
        else waiting.push([near, part])
        next()
      })
    })
  })
  const port = await opened(server)
  return {
    url: `postgres://acuse@127.0.0.1:${port}/postgres`,
    [Symbol.dispose]() {
      server.close()
      far.destroy()
    },
  }
}

/** ReadyForQuery, outside of a transaction. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1')
/** Terminate. */
const END = 0x58

/** A pool promises another process than the server's. */
function withAnotherPid(greeting: Buffer): Buffer {
  const at = greeting.indexOf('K\0\0\0\x0c', 'latin1')
  greeting.writeInt32BE(1, at + 5)
  return greeting
}
