import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdDecompressSync } from 'node:zlib'
import type { MaskedDelivery } from '#interop/records.ts'
import { createSession, finishSession } from '#storage/session/session-file.ts'
import { SessionWriter } from '#storage/session/session-writer.ts'

/** Writes deliveries into a session file. @param folder in which to make it @returns its path */
export function sessionOf(folder: string, deliveries: readonly MaskedDelivery[]): string {
  const path = join(mkdtempSync(join(folder, 'made-')), 'x.acuse')
  const db = createSession(path)
  const writer = new SessionWriter(db)
  for (const one of deliveries) writer.add({ ...one, importedAt: null })
  const head = { createdAt: 0, version: '0', masked: [], deliveries: deliveries.length, connections: [] }
  finishSession(db, head)
  return path
}

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** Everything in a session file as text: each value of each row, unpacked. */
export function textOfSession(folder: string, file: Uint8Array): string {
  const path = join(mkdtempSync(join(folder, 'read-')), 'x.acuse')
  writeFileSync(path, file)
  using db = new DatabaseSync(path, { readOnly: true })
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const values = tables.flatMap(({ name }) =>
    db
      .prepare(`SELECT * FROM ${name}`)
      .all()
      .flatMap((row) => Object.values(row)),
  )
  const texts = values.map((value) => {
    if (!(value instanceof Uint8Array)) return String(value)
    return Buffer.from(ZSTD.equals(value.subarray(0, 4)) ? zstdDecompressSync(value) : value).toString()
  })
  // The raw bytes too: SQLite could leave earlier values in free pages.
  return [...texts, Buffer.from(file).toString('latin1')].join('\n')
}
