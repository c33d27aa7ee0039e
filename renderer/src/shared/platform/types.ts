import type { CommandName, Params, Result } from '#contract/commands.ts'
import type { Refusal } from '#contract/errors.ts'
import type { ConnectionState, Push } from '#contract/pushes.ts'

/** A host's answer as a value: of thrown errors IPC keeps only the message. */
export type Answered<T> =
  | { readonly ok: true; readonly result: T }
  | { readonly ok: false; readonly refusal: Refusal }

/** Asks the user for places, and writes files there. A file gets its name only when it is complete. */
export interface HostFiles {
  /** Shows the system's save dialog. @returns the file and its path; null when the user cancels */
  begin(name: string): Promise<Answered<{ readonly id: number; readonly path: string } | null>>
  write(id: number, bytesBase64: string): Promise<Answered<unknown>>
  /** @param keep false: leaves nothing */
  end(id: number, keep: boolean): Promise<Answered<unknown>>
  /** Shows the system's dialog for a folder. @returns its path; null when the user cancels */
  folder(): Promise<Answered<string | null>>
}

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
  /** Absent where the page itself writes files. */
  readonly files?: HostFiles
  /** Tries a lost connection now instead of at `retryAt`. */
  reconnect(): void
}
