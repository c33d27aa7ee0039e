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
