import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { AcuseError } from '#contract/errors.ts'
import { inSession } from '#hosts/transfer/importing.ts'
import { unpackSession } from '#storage/session/session-file.ts'
import { PAGE_SIZE } from '#storage/sql/connection.ts'
import { exportedOf } from '../../../support/arbitrary-delivery.ts'
import { assembled } from '../../../support/assembled.ts'
import { runs } from '../../../support/depth.ts'
import { anEvent } from '../../../support/events.ts'
import { fileOf } from '../../../support/import-file.ts'
import { seeded } from '../../../support/random.ts'
import { sessionOf } from '../../../support/session-file.ts'
import { aDelivery } from '../../../support/store.ts'
import { sharedFolder } from '../../../support/temp-folder.ts'
import { imported } from '../../../support/transfers.ts'

const COUNT = 60
const folder = sharedFolder()
const bodies = Array.from({ length: COUNT }, (_, n) =>
  JSON.stringify(anEvent('factura.created', { data: { Note: `${n} `.repeat(400) } })),
)
const sound = () =>
  sessionOf(
    folder,
    bodies.map((body, n) => exportedOf(aDelivery({ body, receivedAt: 1.7e15 + n }), { id: n + 1 })),
  )

/** What an import finds in a file, and whether it opens. */
function outcome(path: string) {
  const found = [...inSession(path, { ...fileOf(new Uint8Array()), name: 'x.acuse' })]
  let refusal: unknown = null
  try {
    unpackSession(path, mkdtempSync(join(folder, 'opened-')))
  } catch (error) {
    refusal = error
  }
  const bad = found.flatMap((one) => ('reason' in one ? [`${one.place}: ${one.reason.message}`] : []))
  return { imported: found.flatMap((one) => ('imported' in one ? [one.imported] : [])), bad, refusal }
}

function changed(sql: string): string {
  const path = sound()
  using db = new DatabaseSync(path)
  db.exec(sql)
  return path
}
function file(content: string): string {
  const path = join(mkdtempSync(join(folder, 'file-')), 'x.acuse')
  writeFileSync(path, content)
  return path
}

type Bad = readonly [what: string, path: () => string, sentence: RegExp, code?: string]
const BAD: readonly Bad[] = [
  ['no SQLite', () => file('hello, this is no database at all '.repeat(100)), /it is not a database/],
  ['no file', () => join(folder, 'x.acuse'), /does not exist/],
  ['a folder', () => mkdtempSync(join(folder, 'x.acuse-')), /is a folder/],
  ['an empty file', () => file(''), /database of another program/],
  [
    'the database of another program',
    () => changed('PRAGMA application_id=7'),
    /database of another program/,
  ],
  ['a newer session', () => changed('PRAGMA user_version=9'), /written by a newer Acuse/, 'newer-schema'],
  [
    'a session of a newer store',
    () => changed(`UPDATE session SET head = json_set(head, '$.schemas.captured', 900)`),
    /written by a newer Acuse/,
    'newer-schema',
  ],
  [
    'a head that is none',
    () => changed(`UPDATE session SET head = '[]'`),
    /head is missing or cannot be read/,
  ],
  [
    'a trigger',
    () => changed('CREATE TRIGGER t AFTER INSERT ON delivery BEGIN DELETE FROM delivery; END'),
    /tables are not those/,
  ],
  [
    'a view that computes for ever',
    () =>
      changed(`DROP TABLE session; CREATE VIEW session AS WITH RECURSIVE n(head) AS
        (SELECT 1 UNION ALL SELECT head + 1 FROM n) SELECT head FROM n WHERE head < 0`),
    /head is missing or cannot be read/,
  ],
  [
    'a generated column',
    () => changed('ALTER TABLE delivery ADD COLUMN x BLOB AS (zeroblob(900000000))'),
    /tables are not those/,
  ],
  ['a virtual table', () => changed('CREATE VIRTUAL TABLE x USING fts5 (a)'), /tables are not those/],
]

test.each(BAD.map(([what, ...rest]) => [what, rest] as const))('%s is refused in a sentence', (_, wrong) => {
  const [path, sentence, code = 'damaged'] = wrong
  const { imported, bad, refusal } = outcome(path())
  expect([imported, bad]).toEqual([[], [expect.stringMatching(sentence)]])
  expect(bad[0]).toMatch(/^file: x\.acuse /)
  expect(refusal).toBeInstanceOf(AcuseError)
  // Nothing in the words of the system: the window has the whole sentence in its language.
  const details = { file: expect.any(String), why: expect.any(String) }
  expect(refusal).toMatchObject({ code, message: expect.stringMatching(sentence), details })
  expect(refusal).not.toHaveProperty('details.system')
})

test('one wrong delivery costs only itself: it is reported with its place', () => {
  const path = changed(`UPDATE payload SET body = x'00' WHERE delivery_id = 5;
    UPDATE payload SET body = zeroblob(300000000) WHERE delivery_id = 7;
    UPDATE delivery SET received_at = -5 WHERE id = 9`)
  const { imported, bad } = outcome(path)
  expect(imported).toHaveLength(COUNT - 3)
  expect(bad).toEqual([
    'delivery 5: Its bytes have changed since the file was written.',
    'delivery 7: It is too large.',
    expect.stringMatching(/^delivery 9: receivedAt: give a time/),
  ])
})

test('a truncated file gives what can be read, and says that the rest is damaged', async () => {
  const path = sound()
  const whole = readFileSync(path)
  for (const pages of [1, 50]) {
    const cut = whole.subarray(0, whole.length - pages * PAGE_SIZE)
    const one = await assembled()
    onTestFinished(one.close)
    const { imported: got, bad, problems } = await imported(one.host.engine, 'x.acuse', cut)
    expect(got + bad).toBe(COUNT)
    expect(problems[0]?.reason).toMatchObject({ details: { why: 'damaged' } })
    if (pages === 1) expect(got).toBeGreaterThan(10)
    writeFileSync(path, cut)
    expect(outcome(path).refusal).toMatchObject({ message: expect.stringContaining('"acuse import" takes') })
  }
})

test('an import does not name itself as the remedy', () => {
  const path = sound()
  const bytes = readFileSync(path)
  bytes.fill(0xff, 100, 120)
  writeFileSync(path, bytes)
  expect(outcome(path).bad).toEqual([expect.stringMatching(/tables are not those/)])
})

test('flipped bytes never give a wrong body, and never end the import', () => {
  const path = sound()
  const whole = readFileSync(path)
  const random = seeded(7)
  for (let round = 0; round < runs(300); round++) {
    const bytes = Buffer.from(whole)
    for (let n = 0; n < 1 + (round % 8); n++) {
      // The pages of content, and of the schema, whose flips refuse the whole file.
      const at = Math.floor(random() * (round % 4 === 0 ? 16_384 : bytes.length))
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    }
    const flipped = join(folder, 'flipped.acuse')
    writeFileSync(flipped, bytes)
    const { imported, refusal } = outcome(flipped)
    for (const { delivery } of imported) expect(bodies).toContain(Buffer.from(delivery.body).toString())
    if (refusal !== null) expect(refusal).toBeInstanceOf(AcuseError)
  }
})
