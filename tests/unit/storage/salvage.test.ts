import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Salvage } from '#storage/reader/salvage.ts'
import { CAPTURED_MIGRATIONS } from '#storage/schema/captured.ts'
import { openForWriting } from '#storage/sql/connection.ts'
import { migrate } from '#storage/sql/migrate.ts'
import { readRecord } from '#storage/wire/record.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const LONG = 'ñ'.repeat(40_000)
const body = (n: number) => Buffer.alloc(n * 9_001, n)

test.each(CAPTURED_MIGRATIONS.map(({ version }) => version))(
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
      "INSERT INTO payload VALUES (?, CAST('Host' || char(10) || 'a' AS BLOB), NULL, ?)",
    )
    // From nothing to rows that fill many pages; the last lies in chunks.
    for (let n = 0; n < 30; n++) {
      delivery.run(n + 1, `/${LONG}${n}`, body(n).byteLength, n === 29 ? 'upload' : null)
      payload.run(n + 1, n === 29 ? null : body(n))
    }
    for (const seq of [0, 1])
      db.prepare("INSERT INTO chunk (upload, seq, bytes) VALUES ('upload', ?, ?)").run(seq, body(2 + seq))
    db.exec('INSERT INTO pin VALUES (7)')
    db.close()

    const salvage = new Salvage(path)
    const rows = []
    const chunks = []
    for (let step = salvage.step(); step.rows.length > 0; step = salvage.step()) {
      rows.push(...step.rows)
      chunks.push(...step.chunks)
    }
    salvage.close()
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1))
    for (const [n, { record, said }] of rows.entries()) {
      const read = readRecord(Buffer.from(record))
      expect([read.method, read.url, read.upload]).toEqual([
        'PUT',
        `/${LONG}${n}`,
        n === 29 ? 'upload' : null,
      ])
      expect(read.body?.equals(body(n)) ?? true).toBe(true)
      expect(said.pinned).toBe(n === 6)
    }
    expect(chunks.map(({ upload, seq, bytes }) => [upload, seq, body(2 + seq).equals(bytes)])).toEqual([
      ['upload', 0, true],
      ['upload', 1, true],
    ])
  },
)
