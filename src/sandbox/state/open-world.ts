import { SCENARIOS, startScenario } from '../scenarios/scenarios.ts'
import { SandboxError, type World } from '../world.ts'
import { emit, live, preview, send } from './emit.ts'
import { putFirstData } from './first-data.ts'
import { OPERATIONS, operationNamed } from './operations/all.ts'
import { openDatabase } from './schema.ts'
import { createStage } from './stage.ts'
import { createStore } from './store.ts'
import { createSyncPages } from './sync.ts'
import { createTransactions } from './transactions.ts'
import { checkedWorkspace, DEFAULT_OFFSET, readWorkspace } from './workspace.ts'

export interface WorldOptions {
  /** A path, or ":memory:". */
  readonly file: string
  /** Of a new file; a file that exists goes on with its own. */
  readonly seed: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Of a new file. */
  readonly offset?: string
}

function checkedSeed(seed: number): number {
  if (!Number.isSafeInteger(seed)) throw new SandboxError(400, 'bad-seed', 'The seed is a whole number.')
  return seed
}

/**
 * Opens the invoicing service's inside, with contacts and products when the file is new.
 * @throws SandboxError when the file cannot be used, or the seed or offset does not fit
 */
export function openWorld({ file, seed, now, offset }: WorldOptions): World {
  checkedSeed(seed)
  const settings = checkedWorkspace({ offset: offset ?? DEFAULT_OFFSET })
  const database = openDatabase(file)
  const store = createStore(database)
  const transactions = createTransactions(database, store, now)
  const pages = createSyncPages(database)
  /** Counts the beginnings: what was started before the last one ends. */
  let age = 0

  const begin = (first: number): void => {
    transactions.run('start', {}, (change) => {
      store.clear()
      store.setSetting('seed', String(first))
      transactions.restart(first)
      putFirstData(change)
    })
  }
  if (store.setting('seed') === undefined) {
    for (const [name, value] of settings) store.setSetting(name, value)
    begin(seed)
  }

  return {
    workspace: () => readWorkspace(store),
    setWorkspace: (change) => {
      for (const [name, value] of checkedWorkspace(change)) store.setSetting(name, value)
      return readWorkspace(store)
    },
    operations: OPERATIONS.map(({ name, summary, parameters }) => ({ name, summary, parameters })),
    perform: (name, params) => {
      const { run } = operationNamed(name)
      const { result, events } = transactions.run(name, {}, (change) => run(change, params))
      return { id: result, events }
    },
    emit: (kind, options) => emit(transactions, kind, options),
    live: (kind) => live(transactions, kind),
    send: (kind, text) => send(transactions, kind, text),
    preview: (kind, first) => preview(transactions, kind, first),
    scenario: (slug, options) =>
      startScenario(slug, options, (own) => {
        const started = age
        return createStage(
          transactions,
          slug,
          now,
          () => readWorkspace(store).offset,
          own,
          () => age === started,
        )
      }),
    scenarios: SCENARIOS,
    accounting: pages.accounting,
    treasury: pages.treasury,
    counts: store.counts,
    reset: (again) => {
      const next = checkedSeed(again ?? Number(store.setting('seed') ?? seed))
      age += 1
      begin(next)
    },
    close: () => {
      age += 1
      if (database.isOpen) database.close()
    },
  }
}
