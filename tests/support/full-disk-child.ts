import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sizeOf } from '#storage/disk/files.ts'
import { keepReserve } from '#storage/disk/space.ts'
import { inTransaction } from '#storage/sql/connection.ts'
import { enterState } from '#storage/writer/coverage.ts'
import { FilingWriter } from './filing-writer.ts'

/* Runs on a file system of a few megabytes: fills it, makes room, and reports the fate of each delivery. */
const [, , folder = ''] = process.argv
const ballast = join(folder, 'ballast')
writeFileSync(ballast, Buffer.alloc(2_000_000))
keepReserve(folder)
const reserve = join(folder, 'reserve-record')
const reserved = sizeOf(reserve)
const filing = new FilingWriter(folder)
while (await filing.log.prepare());
const kept: string[] = []
let [refused, behind] = [0, false]
const put = (body: string): boolean => {
  try {
    filing.deliver(body)
    kept.push(body)
    return true
  } catch {
    refused += 1
    return false
  } finally {
    behind ||= filing.writer.status().state === 'behind'
  }
}
for (let i = 0; i < 400; i += 1) put(`${i} ${'x'.repeat(20_000 - (i % 40) * 480)}`)
// Coverage must be writable now too.
filing.writer.record(({ db, statements }) =>
  inTransaction(db, () => enterState(statements, 'listening', 1_000)),
)
rmSync(ballast)
filing.recover()
const again = put('after')
const { state } = filing.writer.status()
keepReserve(folder)
const anew = sizeOf(reserve) > 0
const stored = new Set(filing.close())
using db = new DatabaseSync(join(folder, 'captured.db'))
const missing = kept.filter((body) => !stored.has(body)).map((body) => body.slice(0, 20))
process.stdout.write(
  JSON.stringify({
    ...{ missing, state, again, behind, reserved, anew, refused },
    covered: Number(db.prepare('SELECT count(*) AS n FROM coverage').get()?.n),
  }),
)
