import type { Kind } from '#catalog/kinds.ts'
import { createParty, type PartyClass } from '../data/parties.ts'
import { FIRST_PRODUCTS } from '../data/products.ts'
import type { PartyRole, SandboxEvent, Workspace } from '../domain/records.ts'
import { bad } from '../domain/refusal.ts'
import type { OperationSpec } from '../operations/operation.ts'
import { OPERATIONS, operationNamed } from '../operations/operations.ts'
import { createStage, type ScenarioStep } from '../scenarios/business.ts'
import { SCENARIOS, type ScenarioSpec, startScenario } from '../scenarios/scenarios.ts'
import { openDatabase } from '../state/database.ts'
import { checkedWorkspace, createStore, DEFAULT_OFFSET, readWorkspace } from '../state/store.ts'
import { type AccountingQuery, createSyncPages, type SyncItem, type TreasuryQuery } from '../state/sync.ts'
import { type Change, createTransactions } from '../state/transactions.ts'
import { emit, live, preview, send } from './emit.ts'

/** What an operation did. */
interface OperationResult {
  /** The document, customer, supplier or product concerned. */
  readonly id: string
  readonly events: readonly SandboxEvent[]
}

/** The invoicing service's inside: documents, contacts and products, their rules, and the events that follow from them. */
export interface World {
  workspace(): Workspace
  setWorkspace(change: Partial<Workspace>): Workspace
  readonly operations: readonly OperationSpec[]
  /** @throws SandboxError with a sentence; then nothing was changed and nothing emitted */
  perform(name: string, params: Readonly<Record<string, unknown>>): OperationResult
  /**
   * Emits one event of that kind: by the shortest chain of operations on new documents that leads to it, of which the steps before the last
   * emit nothing (their documents stand in the sync routes all the same); or, with `data`, exactly that content and no operation at all.
   * @param options `overrides`: JSON pointers into the envelope with the values to put there, which change the event, not the document;
   * `seed`: draw its data from a seed of its own instead of going on with the world's
   * @throws SandboxError (400) for content that is no JSON and pointers that lead nowhere; then nothing was changed
   */
  emit(
    kind: Kind,
    options: { data?: unknown; overrides?: ReadonlyMap<string, unknown>; seed?: number },
  ): SandboxEvent
  /**
   * What leads to an event of that kind, from new documents on, with all the events on the way: nothing of it is missed by who gets them all.
   * @returns in order; the one of that kind comes last
   */
  live(kind: Kind): readonly SandboxEvent[]
  /**
   * Emits an event of that kind with exactly this text for a body, whether or not it fits the schema; no operation stands behind it.
   * @throws SandboxError (400) when it is no JSON
   */
  send(kind: Kind, text: string): SandboxEvent
  /** The body that `emit` would make now, indented; nothing is kept. */
  preview(kind: Kind, seed?: number): string
  /**
   * Steps of a scenario, to be taken one after the other: each step performs operations when it is asked for, and gives their events.
   * Ends early when the world is reset or closed meanwhile.
   * @param options `seed`: draw its data from a seed of its own instead of going on with the world's
   * @throws SandboxError at once for an unknown slug (404) or a count out of range (400)
   */
  scenario(slug: string, options: { count?: number; seed?: number }): Iterable<ScenarioStep>
  readonly scenarios: readonly ScenarioSpec[]
  /** By issue date, then document id (sandbox choice); one item more than `limit` tells that more remain. */
  accounting(query: AccountingQuery): readonly SyncItem[]
  /** Receivables and payables only, by issue date, then document id, stable while documents are being added. */
  treasury(query: TreasuryQuery): readonly SyncItem[]
  counts(): { documents: number; customers: number; suppliers: number; products: number; events: number }
  /** Empties everything and starts again from the seed. */
  reset(seed?: number): void
  close(): void
}

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
  /** Milliseconds since the epoch. */
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
