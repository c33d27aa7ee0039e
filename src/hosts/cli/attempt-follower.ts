import { AcuseError } from '#contract/errors.ts'
import type { AttemptRow, AttemptsOf } from '#contract/replay.ts'
import type { Reached } from './reach.ts'

const PAGE = 1_000
/** Attempts that outlast a page are asked for one by one; more than this at once would keep the sender from sending. */
const ASKED_AT_ONCE = 64

/**
 * The attempts of a job or forward as they end, each once. What it holds does not grow with their number: only those that are on their
 * way, which concurrency bounds.
 */
export class AttemptFollower {
  readonly #call: Reached['call']
  readonly #of: AttemptsOf
  #after: number
  #sending: readonly number[] = []

  /** @param after attempts up to this id are left out */
  constructor(call: Reached['call'], of: AttemptsOf, after = 0) {
    this.#call = call
    this.#of = of
    this.#after = after
  }

  /** Those that were begun when it last looked and had not ended. */
  get sending(): number {
    return this.#sending.length
  }

  /** @returns those that ended since it last looked, and whether there are more to be had at once */
  async ended(): Promise<{ readonly attempts: readonly AttemptRow[]; readonly more: boolean }> {
    const { attempts, more } = await this.#call('attempts.list', {
      of: this.#of,
      after: this.#after,
      limit: PAGE,
    })
    // Looked at after the newer ones: what ended before those began is then told before them.
    const now = this.#sending.slice(0, ASKED_AT_ONCE)
    const looked = (await Promise.all(now.map((id) => this.#look(id)))).filter((row) => row !== null)
    this.#after = attempts.at(-1)?.id ?? this.#after
    const all: readonly AttemptRow[] = [...looked, ...attempts]
    // Those not asked for now come first the next time: none of them waits behind one that hangs.
    this.#sending = [
      ...this.#sending.slice(ASKED_AT_ONCE),
      ...all.filter(({ state }) => state === 'sending').map(({ id }) => id),
    ]
    return { attempts: all.filter(({ state }) => state !== 'sending'), more }
  }

  /** @returns null when the delivery, and with it the attempt, was deleted meanwhile */
  async #look(id: number): Promise<AttemptRow | null> {
    try {
      return await this.#call('attempts.get', { id })
    } catch (error) {
      if (error instanceof AcuseError && error.code === 'not-found') return null
      throw error
    }
  }
}

/** The id of the newest attempt there is, for following only what comes after it. */
export async function newestAttempt(call: Reached['call'], of: AttemptsOf): Promise<number> {
  const { attempts } = await call('attempts.list', { of, limit: 1 })
  return attempts[0]?.id ?? 0
}
