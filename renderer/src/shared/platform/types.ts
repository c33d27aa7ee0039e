import type { CommandName, Params, Result } from '#contract/commands.ts'
import type { Push } from '#contract/pushes.ts'
import type { ConnectionState } from '#core/kept-socket.ts'

/**
 * All that the window sees of its host. Which one it is is decided by the entry file, never by an `if`.
 * Commands may be called at any time; pushes come only after `onPush`.
 */
export interface Platform {
  /** Resolves with the result. @throws RefusalError when the host refused, or could not be reached (`not-available`) */
  call<C extends CommandName>(command: C, params: Params<C>): Promise<Result<C>>
  /** @returns a function that stops the pushes */
  onPush(listener: (push: Push) => void): () => void
  /**
   * `lost`: pushes no longer come and `retryAt` (milliseconds since the epoch) is the next attempt. `open` after `lost`:
   * pushes were missed, so everything shown has to be asked for again.
   */
  onConnection(listener: (state: ConnectionState, retryAt: number | null) => void): () => void
  copy(text: string): Promise<void>
  /** Tries a lost connection now instead of at `retryAt`. */
  reconnect(): void
}
