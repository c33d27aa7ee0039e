import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { WEBHOOK_PLAN } from '#catalog/service.ts'
import type { SandboxState, SandboxWorkspace } from '#contract/sandbox.ts'
import type { PartyClass } from '../data/parties.ts'
import type { Random } from '../data/random.ts'
import { amountDue } from '../domain/amounts.ts'
import { offsetMinutes, writeJson } from '../domain/json.ts'
import { paymentMethods, syncItem } from '../domain/projection.ts'
import type { Document, Party, PartyRole, Product, SandboxEvent } from '../domain/records.ts'
import { bad } from '../domain/refusal.ts'

const DEFAULT_NAME = 'Acuse Sandbox'
/** Dominican local time (readings, Sandbox choices). */
export const DEFAULT_OFFSET = '-04:00'

/** @throws Refusal (400) */
export function demandOffset(offset: string): void {
  if (offsetMinutes(offset) === null)
    throw bad('bad-input', 'offset: it is written as in -04:00, from -14:00 to +14:00.', 'offset')
}

export const readWorkspace = (store: Store): SandboxWorkspace => ({
  name: store.setting('name') ?? DEFAULT_NAME,
  plan: store.setting('plan') ?? WEBHOOK_PLAN,
  offset: store.setting('offset') ?? DEFAULT_OFFSET,
})

type Row = Record<string, SQLOutputValue> | undefined

/** Parses a record without validation, since only this store writes the file. */
const record = <T>(row: Row): T | undefined => (row ? (JSON.parse(String(row.record)) as T) : undefined)
const number = (row: Row, name: string): number => Number(row?.[name] ?? 0)

export function createStore(database: DatabaseSync) {
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
  // First and last key give the count, since rows are never deleted singly. Counting 100,000 rows would slow down every status call.
  const span = (table: string, key: string): string =>
    `(SELECT coalesce((SELECT max(${key}) FROM ${table}) - (SELECT min(${key}) FROM ${table}) + 1, 0))`
  const counts = sql(
    `SELECT ${span('documents', 'rowid')} AS documents, (SELECT count(*) FROM parties WHERE role = 'customer') AS customers,
       (SELECT count(*) FROM parties WHERE role = 'supplier') AS suppliers, ${span('products', 'place')} AS products,
       ${span('events', 'seq')} AS events`,
  )
  const partyCount = (role: PartyRole, one: PartyClass): number => number(activeParties.get(role, one), 'n')

  return {
    document: (id: string) => record<Document>(documentById.get(id)),
    putDocument: (document: Document): void => {
      const { id, family, type, issuedAt } = document
      // Neither sync route lists quotations: they are no sales, notes or expenses.
      const listed = family !== 'quotation'
      const due = listed ? amountDue(document) : 0
      const sync = listed ? writeJson(syncItem(document)) : null
      const payments = listed ? writeJson(paymentMethods(document)) : null
      putDocument.run(id, family, type, issuedAt, due, sync, payments, JSON.stringify(document))
    },
    party: (id: string) => record<Party>(partyById.get(id)),
    putParty: (party: Party): void => {
      putParty.run(party.id, party.role, party.class, party.active ? 1 : 0, JSON.stringify(party))
    },
    /** Draws an active party of one of these classes; undefined when there is none. */
    anyParty: (role: PartyRole, classes: readonly PartyClass[], random: Random): Party | undefined => {
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
    product: (id: string) => record<Product>(productById.get(id)),
    putProduct: (product: Product): void => {
      putProduct.run(product.id, product.active ? 1 : 0, JSON.stringify(product))
    },
    anyProduct: (random: Random): Product | undefined => {
      const total = number(activeProducts.get(), 'n')
      return total === 0 ? undefined : record<Product>(productAt.get(random.int(0, total - 1)))
    },
    /** Issues the next serial of a sequence. A voided document keeps its serial, so none is reused. */
    nextSerial: (code: string) => number(serial.get(code), 'serial'),
    addEvent: ({ kind, subject, cause, at }: Omit<SandboxEvent, 'seq' | 'body'>) =>
      Number(addEvent.run(kind, subject, cause, at).lastInsertRowid),
    setting: (name: string): string | undefined => {
      const row = setting.get(name)
      return row ? String(row.value) : undefined
    },
    setSetting: (name: string, value: string): void => {
      setSetting.run(name, value)
    },
    counts: () => ({ ...counts.get() }) as SandboxState['counts'],
    /** Empties every table but the workspace's; numbering of events continues. */
    clear: (): void => {
      for (const name of ['documents', 'parties', 'products', 'events', 'sequences'])
        database.exec(`DELETE FROM ${name}`)
    },
  }
}
export type Store = ReturnType<typeof createStore>
