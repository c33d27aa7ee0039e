import { COMMAND_NAMES, COMMANDS, type CommandName, type Params, type Result } from '#contract/commands.ts'
import { AcuseError } from '#contract/errors.ts'
import type { Pushes, PushName } from '#contract/pushes.ts'
import type { HostStatus } from '#contract/status.ts'
import type { Engine } from '#core/engine/engine.ts'
import type { PushListener } from '#core/engine/pushes.ts'

type Answers = { readonly [C in CommandName]?: (params: Params<C>) => Promise<Result<C>> }

/** An engine for tests of what stands before it: answers what it is given, refuses as the real one does, and pushes on demand. */
export class EngineDouble implements Engine {
  readonly #answers: Answers
  readonly #listeners = new Set<PushListener>()
  readonly carriedOut: string[] = []

  constructor(answers: Answers = {}) {
    this.#answers = answers
  }

  get listeners(): number {
    return this.#listeners.size
  }

  call<C extends CommandName>(command: C, params: Params<C>): Promise<Result<C>> {
    this.carriedOut.push(command)
    const answer: ((params: Params<C>) => Promise<Result<C>>) | undefined = this.#answers[command]
    if (!answer) return Promise.reject(new AcuseError('not-available', `The double has no ${command}.`))
    return answer(params)
  }

  async dispatch(command: string, params: unknown): Promise<unknown> {
    const name = COMMAND_NAMES.find((known) => known === command)
    if (!name) throw new AcuseError('unknown-command', `There is no command "${command}".`)
    const checked = COMMANDS[name].params.safeParse(params ?? {})
    if (!checked.success) throw new AcuseError('bad-params', 'not understood', { path: 'somewhere' })
    return this.call(name, checked.data as Params<typeof name>)
  }

  subscribe(listener: PushListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  push<P extends PushName>(push: P, payload: Pushes[P]): void {
    for (const listener of this.#listeners) listener(push, payload)
  }

  close(): void {
    this.#listeners.clear()
  }
}

export const QUIET_STATUS: HostStatus = {
  receiver: { state: 'off' },
  store: { state: 'ok', path: 'deliveries.db', reason: null, incidents: [], logProblems: [] },
  counts: {
    ...{ stored: 0, today: 0, rejected: 0, rejectedEvicted: 0, malformed: 0, malformedEvicted: 0 },
    ...{ budgetDeleted: 0, unjudged: 0, unfiled: 0, trashed: 0 },
  },
  faults: [],
  rate: 0,
  disk: {
    ...{ usedBytes: 0, budgetBytes: 5_000_000_000, overBudget: 'warn', trashBytes: 0, freeBytes: null },
    ...{ rejectedBytes: 0, malformedBytes: 0 },
  },
}
