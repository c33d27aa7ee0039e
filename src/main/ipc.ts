import type { IpcMain, WebContents } from 'electron'
import { type Refusal, toRefusal } from '#contract/errors.ts'
import type { Push } from '#contract/pushes.ts'
import type { Engine } from '#core/engine/engine.ts'
import { INVOKE, PUSH } from '../preload/channels.ts'
import { originOf } from './page.ts'

export type Answered =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly refusal: Refusal }

export interface Caller {
  readonly sender: Pick<WebContents, 'id'>
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null
}

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

/** Answers commands over IPC. Refusals are results: of a thrown error IPC passes on only the message. */
export function answerCommands(
  ipc: Pick<IpcMain, 'handle'>,
  trusted: (caller: Caller) => boolean,
  dispatch: Engine['dispatch'],
): void {
  ipc.handle(INVOKE, async (event, ...args: readonly unknown[]): Promise<Answered> => {
    if (!trusted(event)) return refused('forbidden', 'Only the window of Acuse may give commands.')
    const [command, params, ...more] = args
    if (typeof command !== 'string' || more.length > 0)
      return refused('bad-params', 'A call is the name of a command and its parameters.')
    try {
      return { ok: true, result: await dispatch(command, params) }
    } catch (error) {
      return { ok: false, refusal: toRefusal(error, command.slice(0, 80)) }
    }
  })
}

/** Sends the engine's pushes to a window for as long as it lives, numbered without a gap. @returns a function that stops them */
export function forwardPushes(
  engine: Pick<Engine, 'subscribe'>,
  contents: Pick<WebContents, 'send' | 'isDestroyed'>,
): () => void {
  let seq = 0
  return engine.subscribe((push, payload) => {
    if (contents.isDestroyed()) return
    seq += 1
    // The listener's type pairs `push` with its `payload`; destructured, TypeScript loses that pairing.
    contents.send(PUSH, { seq, push, payload } as Push)
  })
}

const refused = (code: Refusal['code'], message: string): Answered => ({
  ok: false,
  refusal: { code, message },
})
