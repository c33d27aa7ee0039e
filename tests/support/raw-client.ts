import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** Where to send; `secure` uses TLS and accepts any certificate. */
export interface At {
  readonly port: number
  readonly host?: string
  readonly secure?: boolean
}

/** A piece to send, or a number of milliseconds to wait. */
export type Step = Buffer | string | number

export interface RawAnswer {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: Buffer
}

export interface RawOptions {
  /** Closes the sending half after the last step. */
  readonly endAfter?: boolean
  /** Cuts the connection after the last step without reading. */
  readonly resetAfter?: boolean
  /** How many answers to wait for; default 1. With 0, waits for the connection to close. */
  readonly answers?: number
  /** Methods of the requests in order, for answers to HEAD; default: none is HEAD. */
  readonly head?: boolean
  readonly timeoutMs?: number
}

/** Sends exactly these bytes over TCP and reads the answers. Strings are latin-1. Sends while reading, as a real sender does. */
export async function raw(at: At, steps: Step | readonly Step[], options: RawOptions = {}) {
  const wanted = options.answers ?? 1
  const { bytes, closed } = await exchange(
    at,
    Array.isArray(steps) ? steps : [steps as Step],
    options,
    (soFar) => wanted > 0 && parseAnswers(soFar, options.head).length >= wanted,
  )
  return { answers: parseAnswers(bytes, options.head), bytes, closed }
}

export interface TextAnswer {
  /** 0 when the connection was closed without an answer. */
  readonly status: number
  readonly body: string
  /** Values of a header, lower-case name. */
  header(name: string): readonly string[]
}

/**
 * Sends one request and reads until the other side closes, or until a WebSocket was agreed on.
 * @param lines request line and headers, without the empty line; latin-1
 */
export async function rawRequest(port: number, lines: readonly string[], body = ''): Promise<TextAnswer> {
  const { bytes } = await exchange({ port }, [`${lines.join('\r\n')}\r\n\r\n${body}`], {}, (soFar) =>
    soFar.toString('latin1', 0, 12).startsWith('HTTP/1.1 101'),
  )
  const [head = '', ...rest] = bytes.toString('latin1').split('\r\n\r\n')
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    body: rest.join('\r\n\r\n'),
    header: (name) =>
      head
        .split('\r\n')
        .filter((line) => line.toLowerCase().startsWith(`${name}:`))
        .map((line) => line.slice(name.length + 1).trim()),
  }
}

/** @param enough whether the bytes so far are complete */
async function exchange(
  at: At,
  steps: readonly Step[],
  { endAfter, resetAfter, timeoutMs = 10_000 }: RawOptions,
  enough: (soFar: Buffer) => boolean,
) {
  const end = { host: at.host ?? '127.0.0.1', port: at.port, allowHalfOpen: true, noDelay: true }
  const socket = at.secure ? connectTls({ ...end, rejectUnauthorized: false }) : connect(end)
  const pieces: Buffer[] = []
  let closed = false
  const done = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`no end within the time; so far: ${Buffer.concat(pieces).toString('latin1')}`)),
      timeoutMs,
    )
    const finish = () => {
      clearTimeout(timer)
      resolve()
    }
    const gone = () => {
      closed = true
      finish()
    }
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece)
      if (enough(Buffer.concat(pieces))) finish()
    })
    socket.on('end', gone)
    socket.on('close', gone)
    socket.on('error', gone)
  })
  try {
    await sendAll(socket, steps)
    if (resetAfter) socket.resetAndDestroy()
    else if (endAfter) socket.end()
    await done
  } finally {
    socket.destroy()
  }
  return { bytes: Buffer.concat(pieces), closed }
}

async function sendAll(socket: Socket, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (socket.destroyed) return
    if (typeof step === 'number') await new Promise((resolve) => setTimeout(resolve, step))
    else
      await new Promise<void>((resolve) => {
        const free = () => {
          socket.removeListener('close', free)
          resolve()
        }
        socket.once('close', free)
        socket.write(typeof step === 'string' ? Buffer.from(step, 'latin1') : step, free)
      })
  }
}

/** Parses the complete answers at the start of the bytes; skips interim ones (1xx). */
export function parseAnswers(bytes: Buffer, head = false): RawAnswer[] {
  const answers: RawAnswer[] = []
  let at = 0
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n', at, 'latin1')
    if (end === -1) return answers
    const [line = '', ...rows] = bytes.toString('latin1', at, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1] ?? Number.NaN)
    if (Number.isNaN(status)) throw new Error(`not an answer: ${line}`)
    at = end + 4
    if (status < 200) continue
    const headers = rows.flatMap((row) => {
      const colon = row.indexOf(':')
      return [row.slice(0, colon), row.slice(colon + 1).trim()]
    })
    const told = headers.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === 'content-length')
    const length = head || told === -1 ? 0 : Number(headers[told + 1])
    if (bytes.length < at + length) return answers
    answers.push({ status, headers, body: bytes.subarray(at, at + length) })
    at += length
  }
}

export function requestBytes(
  method: string,
  target: string,
  body: Buffer | string,
  headers: readonly string[] = [],
): Buffer {
  const content = typeof body === 'string' ? Buffer.from(body) : body
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: receiver.test']
  for (let i = 0; i + 1 < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`)
  lines.push(`Content-Length: ${content.length}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), content])
}
