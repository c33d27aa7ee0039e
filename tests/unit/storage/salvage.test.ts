import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { Salvage } from '#storage/reader/salvage.ts'
import { CAPTURED_MIGRATIONS } from '#storage/schema/captured.ts'
import { openForWriting } from '#storage/sql/connection.ts'
import { migrate } from '#storage/sql/open-own.ts'
import { readRecord } from '#storage/wire/record.ts'
import { overwrite } from '../../reliability/damage-rounds.ts'
import { tempFolder } from '../../support/temp-folder.ts'

function salvaged(path: string) {
  const salvage = new Salvage(path)
  const rows = []
  const chunks = []
  for (let step = salvage.step(); step.rows.length > 0; step = salvage.step()) {
    rows.push(...step.rows)
    chunks.push(...step.chunks)
  }
  salvage.close()
  return { rows, chunks }
}

const LONG = 'ñ'.repeat(40_000)
const body = (n: number) => Buffer.alloc(n * 9_001, n)

test.each(CAPTURED_MIGRATIONS.map((_, before) => before + 1))(
  'rows of schema %i are told apart page by page, however long they are (reliability, row 6)',
  (version) => {
    const path = join(tempFolder(), 'captured.damaged-1.db')
    const db = openForWriting(path, 0)
    migrate(db, path, CAPTURED_MIGRATIONS.slice(0, version))
    const delivery = db.prepare(
      `INSERT INTO delivery (id, received_at, receiving_us, endpoint, method, url, http_version, remote_address, remote_port, size,
     stored_bytes, answer_status, answer_id, rejected, malformed, upload)
     VALUES (?, 1700000000000000, 1, 'default', 'PUT', ?, '1.1', '127.0.0.1', 9, ?, 0, NULL, NULL, 0, NULL, ?)`,
    )
    const payload = db.prepare(
      "INSERT INTO payload (delivery_id, headers, trailers, body) VALUES (?, CAST('Host' || char(10) || 'a' AS BLOB), NULL, ?)",
    )
    // From empty rows to rows of many pages; the last one is stored in chunks.
    for (let n = 0; n < 30; n++) {
      delivery.run(n + 1, `/${LONG}${n}`, body(n).byteLength, n === 29 ? 'upload' : null)
      payload.run(n + 1, n === 29 ? null : body(n))
    }
    for (const seq of [0, 1])
      db.prepare("INSERT INTO chunk (upload, seq, bytes) VALUES ('upload', ?, ?)").run(seq, body(2 + seq))
    db.exec('INSERT INTO pin VALUES (7)')
    db.close()

    const { rows, chunks } = salvaged(path)
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1))
    for (const [n, { record, said }] of rows.entries()) {
      const read = readRecord(Buffer.from(record))
      const upload = n === 29 ? 'upload' : null
      expect(read).toMatchObject({ method: 'PUT', url: `/${LONG}${n}`, upload })
      expect(read.body?.equals(body(n)) ?? true).toBe(true)
      expect(said.pinned).toBe(n === 6)
    }
    expect(chunks.map(({ upload, seq, bytes }) => [upload, seq, body(2 + seq).equals(bytes)])).toEqual([
      ['upload', 0, true],
      ['upload', 1, true],
    ])
  },
)

const COMMON = `received_at, receiving_us, endpoint, method, url, http_version, remote_address, remote_port, size, stored_bytes, rejected`
const VALUES = "1700000000000000, 1, 'default', 'POST', '/', '1.1', '127.0.0.1', 9, 0, 0, 0"
const LISTED = [1, 2, 3]
const DELETED = [4, 5]

function fill(db: DatabaseSync): void {
  for (const id of LISTED) db.exec(`INSERT INTO delivery (id, ${COMMON}) VALUES (${id}, ${VALUES})`)
  for (const [at, id] of DELETED.entries()) {
    db.exec(`INSERT INTO trash_batch (at) VALUES (${at})`)
    db.exec(`INSERT INTO trashed (id, ${COMMON}, synthetic, batch) VALUES (${id}, ${VALUES}, 0, ${at + 1})`)
  }
  for (const id of [...LISTED, ...DELETED])
    db.exec(
      `INSERT INTO payload (delivery_id, headers, trailers, body) VALUES (${id}, CAST('Host' || char(10) || 'a' AS BLOB), NULL, NULL)`,
    )
}

const PRESENT = CAPTURED_MIGRATIONS.length
const ALL_AUTHENTICATED = 'UPDATE delivery SET authenticated = 1'
const ALL_RESTORED = `${ALL_AUTHENTICATED}; DELETE FROM trash_batch; DELETE FROM trashed;
  INSERT INTO delivery (id, ${COMMON}, authenticated) VALUES (4, ${VALUES}, 1), (5, ${VALUES}, 1)`

test.each([
  { made: 5, now: 5, sql: '', deleted: DELETED },
  { made: 6, now: 6, sql: '', deleted: DELETED },
  { made: 6, now: PRESENT, sql: '', deleted: DELETED },
  { made: 6, now: PRESENT, sql: ALL_AUTHENTICATED, deleted: DELETED },
  { made: PRESENT, now: PRESENT, sql: '', deleted: DELETED },
  { made: PRESENT, now: PRESENT, sql: ALL_RESTORED, deleted: [] },
])('trash made by schema $made and read by $now (reliability, row 6)', ({ made, now, sql, deleted }) => {
  const path = join(tempFolder(), 'captured.damaged-1.db')
  {
    using db = openForWriting(path, 0)
    migrate(db, path, CAPTURED_MIGRATIONS.slice(0, made))
    fill(db)
    migrate(db, path, CAPTURED_MIGRATIONS.slice(0, now))
    db.exec(sql)
  }
  const inTrash = () => {
    const { rows } = salvaged(path)
    expect(rows.map(({ id }) => id).sort()).toEqual([...LISTED, ...DELETED])
    return rows.filter(({ trashed }) => trashed).map(({ id }) => id)
  }
  expect(inTrash()).toEqual(deleted)
  overwrite(path, 0, Buffer.alloc(100, 0xa5))
  expect(inTrash()).toEqual(deleted)
})
