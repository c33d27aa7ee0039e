import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { WEBHOOK_PLAN } from '#catalog/service.ts'
import type { PartyClass } from '../data/parties.ts'
import type { Random } from '../data/random.ts'
import { amountDue } from '../domain/amounts.ts'
import { offsetMinutes, writeJson } from '../domain/json.ts'
import { paymentMethods, syncItem } from '../domain/projection.ts'
import type { Document, Party, PartyRole, Product, Workspace } from '../domain/records.ts'
import { bad } from '../domain/refusal.ts'

const DEFAULT_NAME = 'Acuse Sandbox'
/** Dominican local time (readings, Sandbox choices). */
export const DEFAULT_OFFSET = '-04:00'
const LONGEST = 200

const PROBLEMS: Readonly<Record<keyof Workspace, (value: unknown) => string | null>> = {
  name: (value) => textProblem('name', value),
  plan: (value) => textProblem('plan', value),
  offset: (value) =>
    typeof value === 'string' && offsetMinutes(value) !== null
      ? null
      : 'offset is written as in -04:00, from -14:00 to +14:00.',
}

function textProblem(name: string, value: unknown): string | null {
  const fits =
    typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST && value.isWellFormed()
  return fits && !value.includes('\0') ? null : `${name} is a text of 1 to ${LONGEST} characters.`
}

const isMember = (name: string): name is keyof Workspace => Object.hasOwn(PROBLEMS, name)

/** @throws Refusal (400) for a member that there is not, or a value that does not fit */
export function checkedWorkspace(
  change: Partial<Workspace>,
): readonly (readonly [keyof Workspace, string])[] {
  if (typeof change !== 'object' || change === null || Array.isArray(change))
    throw bad('bad-workspace', 'The workspace is changed by a JSON object with name, plan, offset.')
  return Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const problem = isMember(name)
        ? PROBLEMS[name](value)
        : `A workspace has name, plan, offset; “${name.slice(0, 60)}” is none.`
      if (problem !== null || !isMember(name)) throw bad('bad-workspace', problem ?? '')
      return [name, String(value)]
    })
}

export const readWorkspace = (store: Store): Workspace => ({
  name: store.setting('name') ?? DEFAULT_NAME,
  plan: store.setting('plan') ?? WEBHOOK_PLAN,
  offset: store.setting('offset') ?? DEFAULT_OFFSET,
})

/** The sandbox's tables as records. Writes belong into a transaction of the caller's. */
export interface Store {
  document(id: string): Document | undefined
  /** Writes it with its items of the sync routes. */
  putDocument(document: Document): void
  party(id: string): Party | undefined
  putParty(party: Party): void
  /** One of the active ones of these classes, undefined when there is none. */
  anyParty(role: PartyRole, classes: readonly PartyClass[], random: Random): Party | undefined
  product(id: string): Product | undefined
  putProduct(product: Product): void
  anyProduct(random: Random): Product | undefined
  /** The next serial of a sequence; never given twice, voided documents keep theirs. */
  nextSerial(code: string): number
  /** @returns its place in the order of emission */
  addEvent(event: { kind: string; subject: string; cause: string; at: number }): number
  setting(name: string): string | undefined
  setSetting(name: string, value: string): void
  counts(): { documents: number; customers: number; suppliers: number; products: number; events: number }
  /** Empties every table but the workspace's; the events' order goes on. */
  clear(): void
}

type Row = Record<string, SQLOutputValue> | undefined

/** A record as this store wrote it: no other code writes the file. */
const record = <T>(row: Row): T | undefined => (row ? (JSON.parse(String(row.record)) as T) : undefined)
const number = (row: Row, name: string): number => Number(row?.[name] ?? 0)

export function createStore(database: DatabaseSync): Store {
  const sql = (text: string) => database.prepare(text)
  const documentById = sql('SELECT record FROM documents WHERE id = ?')
  const putDocument = sql(
    `INSERT INTO documents (id, family, type, issued_at, due, sync, payments, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET due = excluded.due, sync = excluded.sync, payments = excluded.payments, record = excluded.record`,
  )
  const partyById = sql('SELECT record FROM parties WHERE id = ?')
  const putParty = sql(
    `INSERT INTO parties (id, role, class, active, record) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET active = excluded.active, record = excluded.record`,
  )
  const activeParties = sql('SELECT count(*) AS n FROM parties WHERE role = ? AND class = ? AND active = 1')
  const partyAt = sql(
    'SELECT record FROM parties WHERE role = ? AND class = ? AND active = 1 ORDER BY place LIMIT 1 OFFSET ?',
  )
  const productById = sql('SELECT record FROM products WHERE id = ?')
  const putProduct = sql(
    `INSERT INTO products (id, active, record) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET active = excluded.active, record = excluded.record`,
  )
  const activeProducts = sql('SELECT count(*) AS n FROM products WHERE active = 1')
  const productAt = sql('SELECT record FROM products WHERE active = 1 ORDER BY place LIMIT 1 OFFSET ?')
  const serial = sql(
    'INSERT INTO sequences (code, next) VALUES (?, 2) ON CONFLICT (code) DO UPDATE SET next = next + 1 RETURNING next - 1 AS serial',
  )
  const addEvent = sql('INSERT INTO events (kind, subject, cause, at) VALUES (?, ?, ?, ?)')
  const setting = sql('SELECT value FROM workspace WHERE name = ?')
  const setSetting = sql(
    'INSERT INTO workspace (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  // Rows are never deleted one by one, so that first and last tell how many there are: counting 100,000 would hold up every status.
  const span = (table: string, key: string): string =>
    `(SELECT coalesce((SELECT max(${key}) FROM ${table}) - (SELECT min(${key}) FROM ${table}) + 1, 0))`
  const counts = sql(
    `SELECT ${span('documents', 'rowid')} AS documents, (SELECT count(*) FROM parties WHERE role = 'customer') AS customers,
       (SELECT count(*) FROM parties WHERE role = 'supplier') AS suppliers, ${span('products', 'place')} AS products,
       ${span('events', 'seq')} AS events`,
  )
  const partyCount = (role: PartyRole, one: PartyClass): number => number(activeParties.get(role, one), 'n')

  return {
    document: (id) => record<Document>(documentById.get(id)),
    putDocument: (document) => {
      const { id, family, type, issuedAt } = document
      // A quotation is no sale, note or expense: neither sync route lists it.
      const listed = family !== 'quotation'
      const due = listed ? amountDue(document) : 0
      const sync = listed ? writeJson(syncItem(document)) : null
      const payments = listed ? writeJson(paymentMethods(document)) : null
      putDocument.run(id, family, type, issuedAt, due, sync, payments, JSON.stringify(document))
    },
    party: (id) => record<Party>(partyById.get(id)),
    putParty: (party) => {
      putParty.run(party.id, party.role, party.class, party.active ? 1 : 0, JSON.stringify(party))
    },
    anyParty: (role, classes, random) => {
      const sizes = classes.map((one) => partyCount(role, one))
      const total = sizes.reduce((sum, size) => sum + size, 0)
      if (total === 0) return undefined
      let place = random.int(0, total - 1)
      for (const [at, one] of classes.entries()) {
        const size = sizes[at] ?? 0
        if (place < size) return record<Party>(partyAt.get(role, one, place))
        place -= size
      }
      return undefined
    },
    product: (id) => record<Product>(productById.get(id)),
    putProduct: (product) => {
      putProduct.run(product.id, product.active ? 1 : 0, JSON.stringify(product))
    },
    anyProduct: (random) => {
      const total = number(activeProducts.get(), 'n')
      return total === 0 ? undefined : record<Product>(productAt.get(random.int(0, total - 1)))
    },
    nextSerial: (code) => number(serial.get(code), 'serial'),
    addEvent: ({ kind, subject, cause, at }) =>
      Number(addEvent.run(kind, subject, cause, at).lastInsertRowid),
    setting: (name) => {
      const row = setting.get(name)
      return row ? String(row.value) : undefined
    },
    setSetting: (name, value) => {
      setSetting.run(name, value)
    },
    counts: () => {
      const row = counts.get()
      return {
        documents: number(row, 'documents'),
        customers: number(row, 'customers'),
        suppliers: number(row, 'suppliers'),
        products: number(row, 'products'),
        events: number(row, 'events'),
      }
    },
    clear: () => {
      for (const name of ['documents', 'parties', 'products', 'events', 'sequences'])
        database.exec(`DELETE FROM ${name}`)
    },
  }
}
