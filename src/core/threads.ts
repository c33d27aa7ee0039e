import type { CommandName, Handlers, Params, Result } from '#contract/commands.ts'
import { refused } from '#contract/errors.ts'
import type { Pushed } from '#contract/pushes.ts'

export interface Feed {
  readonly heard: boolean
  send(...pushed: Pushed): void
}

/** @throws AcuseError `not-available` in a host that sends nothing */
export function demandSending<T>(port: T | null): T {
  if (port) return port
  throw refused('not-available', 'sends-nothing')
}

/** Handlers that forward their commands unchanged. */
export function forwarded<C extends CommandName>(
  names: readonly C[],
  call: <D extends C>(command: D, params: Params<D>) => Promise<Result<D>>,
): Pick<Handlers, C> {
  const handlers = names.map((name) => [name, (params: Params<C>) => call(name, params)])
  return Object.fromEntries(handlers) as Pick<Handlers, C>
}

/** Processes notices in sequence, so that no push shows an older state than the previous one. */
export function inTurn<N>(
  source: { onNotice(listener: (notice: N) => void): unknown },
  take: (notice: N) => Promise<void>,
): void {
  let turn = Promise.resolve()
  source.onNotice((notice) => {
    turn = turn.then(() => take(notice))
  })
}

/** Five times a second, as often as a user can follow. */
const INTERVAL_MS = 200

/** Calls `tell` soon after a change, at most once per interval. */
export class Throttle {
  readonly #tell: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(tell: () => void) {
    this.#tell = tell
  }

  ring(): void {
    const wait = Math.max(0, this.#toldAt + INTERVAL_MS - performance.now())
    this.#timer ??= setTimeout(() => this.#flush(), wait)
  }

  close(): void {
    if (this.#timer) this.#flush()
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#toldAt = performance.now()
    this.#tell()
  }
}
