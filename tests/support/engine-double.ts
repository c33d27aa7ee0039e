import { COMMANDS, type CommandName, isCommand, type Params, type Result } from '#contract/commands.ts'
import { AcuseError } from '#contract/errors.ts'
import type { Pushed } from '#contract/pushes.ts'
import type { HostStatus } from '#contract/status.ts'
import type { Engine } from '#core/engine/engine.ts'
import type { PushListener } from '#core/engine/pushes.ts'

type Answers = { readonly [C in CommandName]?: (params: Params<C>) => Promise<Result<C>> }

/** An engine for tests of hosts: it gives prepared answers, refuses as the real one does, and pushes on demand. */
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
    if (!isCommand(command)) throw new AcuseError('unknown-command', `There is no command "${command}".`)
    const checked = COMMANDS[command].params.safeParse(params ?? {})
    if (!checked.success) throw new AcuseError('bad-params', 'not understood', { path: 'somewhere' })
    return this.call(command, checked.data as Params<typeof command>)
  }

  subscribe(listener: PushListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  push(...pushed: Pushed): void {
    for (const listener of this.#listeners) listener(...pushed)
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
    ...{ usedBytes: 0, logBytes: 0, trashBytes: 0, rejectedBytes: 0, malformedBytes: 0 },
    ...{ budgetBytes: 5_000_000_000, overBudget: 'warn', freeBytes: null },
  },
}
