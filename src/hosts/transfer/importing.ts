import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { ImportedDelivery } from '#interop/delivery.ts'
import type { Exports } from '#storage/reader/exports.ts'
import type { Statements } from '#storage/sql/connection.ts'

/** Recognises deliveries that the store has already: the same time of arrival and the same content. */
export class Known {
  readonly #exports: Exports
  /** Of SQLite's own, in a file of its own when it grows: a million deliveries need not be in memory. */
  readonly #db = new DatabaseSync('')
  readonly #find
  readonly #add

  constructor(statements: Statements, exports: Exports) {
    this.#exports = exports
    this.#db.exec('CREATE TABLE known (received_at INTEGER NOT NULL, id INTEGER, digest TEXT)')
    const add = this.#db.prepare('INSERT INTO known (received_at, id, digest) VALUES (?, ?, ?)')
    this.#db.exec('BEGIN')
    for (const row of statements.each`SELECT id, received_at FROM delivery`)
      add.run(Number(row.received_at), Number(row.id), null)
    this.#db.exec('COMMIT; CREATE INDEX known_at ON known (received_at)')
    this.#add = add
    this.#find = this.#db.prepare('SELECT id, digest FROM known WHERE received_at = ?')
  }

  /** @returns whether the delivery is new; from then on it is known */
  isNew({ delivery }: ImportedDelivery): boolean {
    const digest = digestOf(delivery)
    for (const { id, digest: known } of this.#find.all(delivery.receivedAt))
      if ((known ?? this.#digestOf(Number(id))) === digest) return false
    this.#add.run(delivery.receivedAt, null, digest)
    return true
  }

  close(): void {
    this.#db.close()
  }

  #digestOf(id: number): string | null {
    const found = this.#exports.whole(id)
    if (!found) return null
    const { method, url, headers } = found.detail
    return digestOf({
      method,
      url,
      headers: headers.flatMap(({ name, value }) => [name, value]),
      body: found.body,
    })
  }
}

function digestOf({
  method,
  url,
  headers,
  body,
}: Pick<ImportedDelivery['delivery'], 'method' | 'url' | 'headers' | 'body'>): string {
  return createHash('sha256')
    .update(JSON.stringify([method, url, headers]))
    .update(body)
    .digest('hex')
    .slice(0, 32)
}
