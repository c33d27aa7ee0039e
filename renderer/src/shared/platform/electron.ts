import type { AppMenu } from '#contract/app-menu.ts'
import type { CommandName, Params, Result } from '#contract/commands.ts'
import type { Push } from '#contract/pushes.ts'
import { RefusalError } from './refusal-error.ts'
import type { Answered, HostFiles, Platform } from './types.ts'
import { copyText } from './web.ts'

/** What the preload script puts on `window.acuse`; errors cross as values because IPC keeps only their message. */
export interface Bridge {
  call<C extends CommandName>(command: C, params: Params<C>): Promise<Answered<Result<C>>>
  onPush(listener: (push: Push) => void): () => void
  /** Only windows of an attached host lose their connection. */
  onConnection: Platform['onConnection']
  reconnect(): void
  /** The app's menu, made of the actions of the window. */
  setMenu(menu: AppMenu): void
  /** What was chosen there. @param listener gets the action's id, and whether a key was pressed that the menu takes from the page */
  onAction(listener: (id: string, asKey: boolean) => void): void
  readonly files: HostFiles
}

declare global {
  interface Window {
    readonly acuse?: Bridge
  }
}

/** The desktop app: its own engine is in the same process tree, and main keeps the connection of an attached window. */
export function createElectronPlatform(bridge: Bridge): Platform {
  return {
    async call<C extends CommandName>(command: C, params: Params<C>): Promise<Result<C>> {
      const answered = await bridge.call(command, params)
      if (!answered.ok) throw new RefusalError(answered.refusal)
      return answered.result
    },
    onPush: (listener) => bridge.onPush(listener),
    onConnection: (listener) => {
      listener('open', null)
      const stop = bridge.onConnection(listener)
      // A page that was loaded while the connection was lost learns it by the next attempt.
      bridge.reconnect()
      return stop
    },
    copy: copyText,
    files: bridge.files,
    reconnect: () => bridge.reconnect(),
  }
}
