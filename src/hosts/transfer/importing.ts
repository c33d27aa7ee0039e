import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { AcuseError } from '#contract/errors.ts'
import type { Found, ImportedDelivery, ImportFile } from '#interop/delivery.ts'
import { fromRecord } from '#interop/imports/record.ts'
import { utc } from '#interop/records.ts'
import type { Exports } from '#storage/reader/exports.ts'
import { sessionDeliveries } from '#storage/session/session-reader.ts'
import type { Statements } from '#storage/sql/connection.ts'

/** Recognises deliveries that the store has already: the same time of arrival and the same content. */
export class Known {
  readonly #exports: Exports
  readonly #statements: Statements
  /** Of SQLite's own, in a file of its own when it grows: a million deliveries need not be in memory. */
  readonly #db = new DatabaseSync('')
  readonly #find
  readonly #add

  constructor(statements: Statements, exports: Exports) {
    this.#exports = exports
    this.#statements = statements
    this.#db.exec('CREATE TABLE known (received_at INTEGER NOT NULL, id INTEGER, digest TEXT)')
    const add = this.#db.prepare('INSERT INTO known (received_at, id, digest) VALUES (?, ?, ?)')
    this.#db.exec('BEGIN')
    for (const row of statements.each`SELECT id, received_at FROM delivery`)
      add.run(Number(row.received_at), Number(row.id), null)
    this.#db.exec('COMMIT; CREATE INDEX known_at ON known (received_at)')
    this.#add = add
    this.#find = this.#db.prepare('SELECT id, digest FROM known WHERE received_at = ?')
  }

  /**
   * @param byArrival also recognises another content that arrived in the same microsecond on the same connection: it is the same
   * delivery, masked @returns whether the delivery is new; from then on it is known
   */
  isNew({ delivery }: ImportedDelivery, byArrival = false): boolean {
    const digest = digestOf(delivery)
    for (const { id, digest: known } of this.#find.all(delivery.receivedAt)) {
      if (byArrival && id !== null && this.#arrivedAs(Number(id), delivery)) return false
      if ((known ?? this.#digestOf(Number(id))) === digest) return false
    }
    this.#add.run(delivery.receivedAt, null, digest)
    return true
  }

  close(): void {
    this.#db.close()
  }

  #arrivedAs(
    id: number,
    { endpoint, method, remoteAddress, remotePort }: ImportedDelivery['delivery'],
  ): boolean {
    // A file without the sender's port says too little about the connection.
    if (remotePort === 0) return false
    return this.#statements.has`SELECT 1 FROM delivery WHERE id = ${id} AND endpoint = ${endpoint}
      AND method = ${method} AND remote_address = ${remoteAddress} AND remote_port = ${remotePort}`
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

/** What a session file holds, checked like a record of any other format. */
export function* inSession(path: string, file: ImportFile): Generator<Found> {
  try {
    for (const { place, ...found } of sessionDeliveries(path))
      if ('reason' in found) yield { place, reason: found.reason }
      else {
        const receivedAt = Number.isSafeInteger(found.receivedAt) ? utc(Number(found.receivedAt)) : ''
        yield fromRecord(place, { ...found.members, receivedAt }, file, found.body)
      }
  } catch (error) {
    // The sentence names the copy that is being read, not the user's file.
    if (!(error instanceof AcuseError)) throw error
    yield { place: 'file', reason: error.message.replaceAll(path, file.name).replace(/\.$/, '') }
  }
}
