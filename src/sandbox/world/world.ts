import type { SandboxOperation, SandboxWorkspace } from '#contract/sandbox.ts'
import { createParty, type PartyClass } from '../data/parties.ts'
import { FIRST_PRODUCTS } from '../data/products.ts'
import { totalsOf } from '../domain/amounts.ts'
import { decimal, offsetMinutes } from '../domain/json.ts'
import type { PartyRole } from '../domain/records.ts'
import { OPERATIONS, operationNamed } from '../operations/operations.ts'
import { createStage } from '../scenarios/business.ts'
import { SCENARIOS, startScenario } from '../scenarios/scenarios.ts'
import { openDatabase } from '../state/database.ts'
import { createStore, DEFAULT_OFFSET, demandOffset, readWorkspace } from '../state/store.ts'
import { createSyncPages } from '../state/sync.ts'
import { type Change, createTransactions } from '../state/transactions.ts'
import { createEmitting } from './emit.ts'

/** Initial parties: each type of receipt has some of its class. */
const PARTIES: readonly (readonly [PartyRole, PartyClass, number])[] = [
  ['customer', 'company', 12],
  ['customer', 'person', 12],
  ['customer', 'government', 3],
  ['customer', 'free-zone', 2],
  ['customer', 'foreign', 3],
  ['supplier', 'company', 8],
  ['supplier', 'person', 5],
  ['supplier', 'foreign', 4],
]

function putFirstData(change: Change): void {
  for (const [role, kind, count] of PARTIES)
    for (let made = 0; made < count; made++) {
      const party = createParty(change.random, kind)
      change.store.putParty({ ...party, id: change.newId(), role, class: kind, active: true })
    }
  for (const product of FIRST_PRODUCTS)
    change.store.putProduct({ ...product, id: change.newId(), active: true })
}

interface WorldOptions {
  /** A path, or ":memory:". */
  readonly file: string
  /** Seed of a new file; an existing file keeps its own. */
  readonly seed: number
  readonly now: () => number
  readonly offset?: string
}

/** @throws Refusal when the file cannot be used, or the seed or offset does not fit */
export function openWorld({ file, seed, now, offset = DEFAULT_OFFSET }: WorldOptions) {
  demandOffset(offset)
  const database = openDatabase(file)
  const store = createStore(database)
  const transactions = createTransactions(database, store, now)
  const pages = createSyncPages(database)
  /** Increases with each reset and at the end; a scenario stops when its age is past. */
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
    store.setSetting('offset', offset)
    begin(seed)
  }

  return {
    workspace: () => readWorkspace(store),
    setWorkspace: (change: Partial<SandboxWorkspace>): SandboxWorkspace => {
      if (change.offset !== undefined) demandOffset(change.offset)
      for (const [name, value] of Object.entries(change)) store.setSetting(name, value)
      return readWorkspace(store)
    },
    operations: OPERATIONS.map(({ run: _, ...operation }): SandboxOperation => operation),
    /** @throws Refusal; then nothing is changed and no event emitted */
    perform: (name: string, params: Readonly<Record<string, unknown>>) => {
      const { run } = operationNamed(name)
      const { result, events } = transactions.run(name, {}, (change) => run(change, params))
      return { id: result, events }
    },
    ...createEmitting(transactions),
    /**
     * Lazy: each step performs its operations when the caller takes it. Ends early when the world is reset or closed.
     * @param options `seed`: a separate seed for the scenario's data; default: the world's generator
     * @throws Refusal at once for an unknown slug (404) or a count out of range (400)
     */
    scenario: (slug: string, options: { readonly count?: number; readonly seed?: number }) =>
      startScenario(slug, options, (own) => {
        const started = age
        const eastward = (offsetMinutes(readWorkspace(store).offset) ?? 0) * 60_000
        return createStage(transactions, slug, own, { lives: () => age === started, now: now(), eastward })
      }),
    scenarios: SCENARIOS,
    accounting: pages.accounting,
    treasury: pages.treasury,
    counts: store.counts,
    factsOf: (id: string) => {
      const document = store.document(id)
      return (
        document && {
          number: document.number,
          party: document.party.name,
          total: decimal(totalsOf(document).total).rawJSON,
          currency: document.currency.code,
        }
      )
    },
    reset: (again?: number): void => {
      const next = again ?? Number(store.setting('seed') ?? seed)
      age += 1
      begin(next)
    },
    close: (): void => {
      age += 1
      if (database.isOpen) database.close()
    },
  }
}
export type World = ReturnType<typeof openWorld>
