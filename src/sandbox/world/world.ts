import type { Kind } from '#catalog/kinds.ts'
import type { SandboxOperation, SandboxWorkspace } from '#contract/sandbox.ts'
import { createParty, type PartyClass } from '../data/parties.ts'
import { FIRST_PRODUCTS } from '../data/products.ts'
import type { PartyRole } from '../domain/records.ts'
import { bad } from '../domain/refusal.ts'
import { OPERATIONS, operationNamed } from '../operations/operations.ts'
import { createStage } from '../scenarios/business.ts'
import { SCENARIOS, startScenario } from '../scenarios/scenarios.ts'
import { openDatabase } from '../state/database.ts'
import { createStore, DEFAULT_OFFSET, demandOffset, readWorkspace } from '../state/store.ts'
import { createSyncPages } from '../state/sync.ts'
import { type Change, createTransactions } from '../state/transactions.ts'
import { type EmitOptions, emit, live, preview, send } from './emit.ts'

/** Enough of each class that every type of receipt finds a party. */
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

/** What a new workspace holds before its first operation: contacts and products, of which no event tells. */
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
  /** Of a new file; a file that exists goes on with its own. */
  readonly seed: number
  readonly now: () => number
  /** Of a new file. */
  readonly offset?: string
}

function checkedSeed(seed: number): number {
  if (!Number.isSafeInteger(seed)) throw bad('bad-seed', 'The seed is a whole number.')
  return seed
}

/**
 * Opens the invoicing service's inside, with contacts and products when the file is new.
 * @throws Refusal when the file cannot be used, or the seed or offset does not fit
 */
export function openWorld({ file, seed, now, offset = DEFAULT_OFFSET }: WorldOptions) {
  checkedSeed(seed)
  demandOffset(offset)
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
    operations: OPERATIONS.map(({ name, summary, parameters }): SandboxOperation => {
      return { name, summary, parameters }
    }),
    /**
     * @returns id of the document, customer, supplier or product concerned
     * @throws Refusal with a sentence; then nothing was changed and nothing emitted
     */
    perform: (name: string, params: Readonly<Record<string, unknown>>) => {
      const { run } = operationNamed(name)
      const { result, events } = transactions.run(name, {}, (change) => run(change, params))
      return { id: result, events }
    },
    /**
     * Emits one event of that kind: by the shortest chain of operations on new documents that leads to it, of which the steps before the last
     * emit nothing (their documents stand in the sync routes all the same); or, with `data`, exactly that content and no operation at all.
     * @throws Refusal (400) for content that is no JSON and pointers that lead nowhere; then nothing was changed
     */
    emit: (kind: Kind, options: EmitOptions) => emit(transactions, kind, options),
    /**
     * What leads to an event of that kind, from new documents on, with all the events on the way: nothing of it is missed by who gets them all.
     * @returns in order; the one of that kind comes last
     */
    live: (kind: Kind) => live(transactions, kind),
    /**
     * Emits an event of that kind with exactly this text for a body, whether or not it fits the schema; no operation stands behind it.
     * @throws Refusal (400) when it is no JSON
     */
    send: (kind: Kind, text: string) => send(transactions, kind, text),
    /** The body that `emit` would make now, indented; nothing is kept. */
    preview: (kind: Kind, own?: number) => preview(transactions, kind, own),
    /**
     * Steps of a scenario, to be taken one after the other: each step performs operations when it is asked for, and gives their events.
     * Ends early when the world is reset or closed meanwhile.
     * @param options `seed`: draw its data from a seed of its own instead of going on with the world's
     * @throws Refusal at once for an unknown slug (404) or a count out of range (400)
     */
    scenario: (slug: string, options: { readonly count?: number; readonly seed?: number }) =>
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
    reset: (again?: number): void => {
      const next = checkedSeed(again ?? Number(store.setting('seed') ?? seed))
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
