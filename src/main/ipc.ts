import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron'
import { AcuseError, type Refusal, toRefusal } from '#contract/errors.ts'
import type { Push } from '#contract/pushes.ts'
import type { Engine } from '#core/engine/engine.ts'
import type { KeptSocket } from '#core/kept-socket.ts'
import type { Remote } from '#hosts/remote.ts'
import { CONNECTION, INVOKE, PUSH } from '../preload/channels.ts'
import { originOf } from './page.ts'

export type Answered =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly refusal: Refusal }

export interface Caller {
  readonly sender: Pick<WebContents, 'id'>
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null
}

type Contents = Pick<WebContents, 'send' | 'isDestroyed'>

/** Whether a call comes from the top frame of one of our windows, with our own page (Electron security checklist, item 17). */
export function isOurPage(caller: Caller, windows: { has(contentsId: number): boolean }, origin: string) {
  try {
    const frame = caller.senderFrame
    if (!windows.has(caller.sender.id) || frame === null) return false
    return frame.parent === null && originOf(frame.url) === origin
  } catch {
    // Electron throws when the frame is gone by now.
    return false
  }
}

/** Makes the handler of an IPC channel. Refusals are results: of a thrown error IPC passes on only the message. */
export const answering =
  (
    trusted: (caller: Caller) => boolean,
    work: (event: IpcMainInvokeEvent, ...args: readonly unknown[]) => Promise<unknown>,
  ) =>
  async (event: IpcMainInvokeEvent, ...args: readonly unknown[]): Promise<Answered> => {
    try {
      if (!trusted(event)) throw new AcuseError('forbidden', 'Only the window of Acuse may give commands.')
      return { ok: true, result: await work(event, ...args) }
    } catch (error) {
      const [name] = args
      return {
        ok: false,
        refusal: toRefusal(error, typeof name === 'string' ? name.slice(0, 80) : undefined),
      }
    }
  }

/** Answers commands over IPC. */
export function answerCommands(
  ipc: Pick<IpcMain, 'handle'>,
  trusted: (caller: Caller) => boolean,
  /** @returns that of the host which the caller's window shows */
  dispatchOf: (caller: Caller) => Engine['dispatch'],
): void {
  ipc.handle(
    INVOKE,
    answering(trusted, async (event, command, params, ...more) => {
      if (typeof command !== 'string' || more.length > 0)
        throw new AcuseError('bad-params', 'A call is the name of a command and its parameters.')
      return dispatchOf(event)(command, params)
    }),
  )
}

/** Sends the pushes of an attached host to a window, and the state of its connection. */
export function forwardRemote(remote: Pick<Remote, 'keepPushes'>, contents: Contents): KeptSocket {
  const kept = remote.keepPushes()
  const send = (...message: Parameters<Contents['send']>) => {
    if (!contents.isDestroyed()) contents.send(...message)
  }
  kept.onPush((push) => send(PUSH, push))
  kept.onConnection((state, retryAt) => send(CONNECTION, state, retryAt))
  return kept
}

/** Sends the engine's pushes to a window for as long as it lives, numbered without a gap. @returns a function that stops them */
export function forwardPushes(engine: Pick<Engine, 'subscribe'>, contents: Contents): () => void {
  let seq = 0
  return engine.subscribe((push, payload) => {
    if (contents.isDestroyed()) return
    seq += 1
    // The listener's type pairs `push` with its `payload`; destructured, TypeScript loses that pairing.
    contents.send(PUSH, { seq, push, payload } as Push)
  })
}
