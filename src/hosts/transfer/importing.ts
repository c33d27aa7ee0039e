import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { AcuseError, toRefusal } from '#contract/errors.ts'
import type { Found, ImportedDelivery, ImportFile } from '#interop/imports/record.ts'
import { fromRecord } from '#interop/imports/record.ts'
import { utc } from '#interop/records.ts'
import type { Exports } from '#storage/reader/exports.ts'
import { unsound } from '#storage/session/session-file.ts'
import { sessionDeliveries } from '#storage/session/session-reader.ts'
import type { Statements } from '#storage/sql/connection.ts'

/** Recognises deliveries that the store has already: the same time of arrival, and the same content or connection. */
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
   * Another content that arrived in the same microsecond on the same connection is the same delivery, masked.
   * @param theirs the delivery's id in a session file: of equal ones that of the same id is meant
   * @returns its id here; 0 when it was earlier in the file; null when it is new, and from then on known
   */
  find({ delivery }: ImportedDelivery, theirs?: number): number | null {
    const digest = digestOf(delivery)
    const same = this.#find.all(delivery.receivedAt).filter(({ id, digest: known }) => {
      if (id !== null && this.#arrivedAs(Number(id), delivery)) return true
      return (known ?? this.#digestOf(Number(id))) === digest
    })
    const found = same.find(({ id }) => id === theirs) ?? same[0]
    if (found) return Number(found.id)
    this.#add.run(delivery.receivedAt, null, digest)
    return null
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
        const read = fromRecord(place, { ...found.members, receivedAt }, file, found.body)
        yield 'imported' in read ? { ...read, theirs: found.id } : read
      }
  } catch (error) {
    if (!(error instanceof AcuseError)) throw error
    const { message, ...refusal } = toRefusal(error)
    const details = { ...refusal.details, file: file.name }
    yield {
      place: 'file',
      reason:
        // Its sentence names an import as the remedy.
        refusal.details?.why === 'session-damaged'
          ? toRefusal(unsound(file.name, 'tables'))
          : // The sentence names the copy that is being read, not the user's file.
            { ...refusal, details, message: message.replaceAll(path, file.name) },
    }
  }
}
