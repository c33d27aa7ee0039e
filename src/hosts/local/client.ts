import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { CommandName, Params, Result } from '#contract/commands.ts'
import { AcuseError, type Refusal } from '#contract/errors.ts'
import type { Push } from '#contract/pushes.ts'
import { systemCode } from '#core/file-trouble.ts'
import { localAddress } from './address.ts'
import { LineReader, reply, SUBSCRIBE } from './protocol.ts'

export interface LocalClient {
  call<C extends CommandName>(command: C, params: Params<C>): Promise<Result<C>>
  /** As `call`, for untyped parameters, which the host validates. */
  dispatch(command: string, params: unknown): Promise<unknown>
  /** Resolves once the subscription is active. A gap in `seq` means that the host skipped pushes. */
  subscribe(listener: (push: Push) => void): Promise<void>
  /** Closes the connection and rejects pending calls. */
  close(): Promise<void>
}

/** Longest line in bytes. The host is the same user's, so the limit only stops faulty data. */
const ANSWER_LIMIT = 256 * 1_048_576
const CLOSED = 'The running Acuse closed the connection.'

/**
 * Connects to the host of a data folder. @returns null when no process listens, even if a killed host left its socket
 * @throws AcuseError `forbidden` when the socket belongs to another user
 */
export async function connectLocal(dataDir: string): Promise<LocalClient | null> {
  const { path } = localAddress(dataDir)
  const socket = await open(path)
  return socket && client(socket)
}

function client(socket: Socket): LocalClient {
  const waiting = new Map<number | string, PromiseWithResolvers<unknown>>()
  const listeners = new Set<(push: Push) => void>()
  let last = 0

  function take(line: string): void {
    const came = reply.parse(JSON.parse(line))
    // Pushes are not validated: the host is our own program.
    if ('push' in came) for (const listener of listeners) listener(came as Push)
    else if (came.id !== null) {
      const asked = waiting.get(came.id)
      waiting.delete(came.id)
      if ('refusal' in came) asked?.reject(refused(came.refusal as Refusal))
      else asked?.resolve(came.result)
    }
  }
  function fail(reason: string): void {
    const error = new AcuseError('not-available', reason)
    for (const asked of waiting.values()) asked.reject(error)
    waiting.clear()
    socket.destroy()
  }

  const lines = new LineReader(ANSWER_LIMIT, take, () =>
    fail('The running Acuse sent more than can be held.'),
  )
  socket.on('data', (bytes: Buffer) => {
    try {
      lines.push(bytes)
    } catch {
      fail('What listens on the local socket is not an Acuse of this version.')
    }
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => fail(CLOSED))

  const dispatch = async (command: string, params: unknown): Promise<unknown> => {
    if (!socket.writable) throw new AcuseError('not-available', CLOSED)
    const asked = Promise.withResolvers<unknown>()
    last += 1
    waiting.set(last, asked)
    socket.write(`${JSON.stringify({ id: last, command, params })}\n`)
    return asked.promise
  }
  return {
    dispatch,
    call: <C extends CommandName>(command: C, params: Params<C>) =>
      dispatch(command, params) as Promise<Result<C>>,
    async subscribe(listener) {
      listeners.add(listener)
      await dispatch(SUBSCRIBE, {})
    },
    async close() {
      if (!socket.destroyed) await once(socket.destroy(), 'close')
    },
  }
}

const refused = ({ code, message, details }: Refusal): AcuseError => new AcuseError(code, message, details)

async function open(path: string): Promise<Socket | null> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return socket
  } catch (error) {
    // No file, no listening process, or another type of file: no host runs here.
    if (!['EACCES', 'EPERM'].includes(systemCode(error))) return null
    throw new AcuseError(
      'forbidden',
      `${path} belongs to another user; only that user can speak to Acuse there.`,
    )
  }
}
