import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sizeOf } from '#storage/disk/files.ts'
import { keepReserve } from '#storage/disk/space.ts'
import { quotasOf } from '#storage/facade/budget.ts'
import { inTransaction } from '#storage/sql/connection.ts'
import { packBatch } from '#storage/wire/record.ts'
import { enterState } from '#storage/writer/coverage.ts'
import { Writer } from '#storage/writer/writer.ts'
import { members } from '#threads/expose.ts'
import { aDelivery } from './store.ts'

/* Run inside a mount of a few megabytes: fills it, makes room, and tells what became of each delivery. */
const [, , folder = ''] = process.argv
const ballast = join(folder, 'ballast')
writeFileSync(ballast, Buffer.alloc(2_000_000))
keepReserve(folder)
const share = join(folder, 'reserve-journal')
const reserved = sizeOf(share)
const writer = new Writer(
  { folder, quotas: quotasOf(), now: Date.now() },
  members(() => undefined),
)
writer.open(Date.now())
const kept: string[] = []
const seen = new Set<string>()
const put = (body: string): string => {
  const [outcome] = writer.append([packBatch([aDelivery({ body })])], [])
  const type = outcome?.type ?? 'none'
  seen.add(type)
  if (type === 'stored' || type === 'spilled') kept.push(body)
  return type
}
for (let i = 0; i < 400; i += 1) put(`${i} ${'x'.repeat(20_000 - (i % 40) * 480)}`)
const { state: full } = writer.status()
const givenUp = sizeOf(share) === 0 && sizeOf(join(folder, 'reserve-record')) > 0
// Coverage is written also now.
writer.record(({ db, statements }) => inTransaction(db, () => enterState(statements, 'listening', 1_000)))
rmSync(ballast)
while (writer.recover());
const again = put('after').length > 0 && writer.status().state === 'ok'
const { state } = writer.status()
keepReserve(folder)
const anew = sizeOf(share) > 0
writer.close()
using db = new DatabaseSync(join(folder, 'captured.db'))
const stored = new Set(
  db
    .prepare('SELECT CAST(body AS TEXT) AS body FROM payload')
    .all()
    .map((row) => row.body),
)
const missing = kept.filter((body) => !stored.has(body)).map((body) => body.slice(0, 20))
process.stdout.write(
  JSON.stringify({
    missing,
    state,
    again,
    ...{ reserved, full, givenUp, anew },
    covered: Number(db.prepare('SELECT count(*) AS n FROM coverage').get()?.n),
    refusedSome: seen.has('refused'),
    spilledSome: seen.has('spilled'),
  }),
)
