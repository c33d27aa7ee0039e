import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { storeFiles } from '#storage/disk/files.ts'
import { openSweepStore } from '#storage/sweeps/sweep-store.ts'
import { plant, SWEEP, sweep } from './reconcile-world.ts'
import { median } from './report.ts'

const CAPTURED = 1_000_000
const LISTED = 100_000
const TERMS = {
  endpoints: [],
  kinds: null,
  zone: 'America/Santo_Domingo',
  ignoredFields: ['AmountDue'],
  mapping: null,
  documentTypes: [],
  unreached: [],
}

/**
 * Compares a month's items with a store (P14), and times a bare join of the same rows in one SQL statement.
 * @param repeats runs of both; `ACUSE_BENCH_SHARE=0.1` uses a tenth of the rows
 */
export async function reconcile(repeats: number): Promise<void> {
  const share = Number(process.env.ACUSE_BENCH_SHARE ?? '1')
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-bench-'))
  const documents = plant(folder.path, CAPTURED * share, LISTED * share)
  const files = storeFiles(folder.path)
  const store = openSweepStore({ paths: files, warn: console.error })
  const { id, pageMs } = sweep(store, documents)
  console.log(
    `${documents.length} items against ${CAPTURED * share} deliveries; a page of 500 is stored in ${pageMs.toFixed(1)} ms`,
  )
  const compares: number[] = []
  const joins: number[] = []
  using bare = bareJoin(files)
  for (let run = 0; run <= repeats; run++) {
    const join = timed(() => bare.run(id))
    // Other terms invalidate the cached comparison. Another zone would also parse every item again.
    const notYetDue = { issuedHours: 24 + run, returnedMinutes: 10 }
    const compare = timed(() => store.compare(id, { ...TERMS, notYetDue, now: SWEEP.startedAt + run }))
    // The first run fills the caches of both.
    if (run === 0) continue
    joins.push(join.ms)
    compares.push(compare.ms)
    if (run === 1) console.log(JSON.stringify(compare.value.counts))
  }
  const rows = timed(() => store.rows(id, { from: 0, limit: 200 }))
  const again = timed(() => store.rows(id, { from: 500, limit: 200 }))
  console.log(
    `compare ${median(compares).toFixed(0)} ms, bare join ${median(joins).toFixed(0)} ms: ${(median(compares) / median(joins)).toFixed(2)} × (medians of ${repeats}; at most 1.5 × and 700 ms)`,
  )
  console.log(`first rows ${rows.ms.toFixed(0)} ms, 200 further ones ${again.ms.toFixed(0)} ms`)
  store.close()
}

function timed<T>(work: () => T): { readonly ms: number; readonly value: T } {
  const began = performance.now()
  const value = work()
  return { ms: performance.now() - began, value }
}

/** One statement that joins both sides by document, in both directions, and only counts. */
function bareJoin({ sweeps, captured, derived }: ReturnType<typeof storeFiles>) {
  const db = new DatabaseSync(sweeps, { readOnly: true })
  db.exec('PRAGMA cache_size=-16384')
  for (const [name, path] of Object.entries({ captured, derived }))
    db.prepare(`ATTACH ? AS ${name}`).run(`${pathToFileURL(path).href}?mode=ro`)
  const statement = db.prepare(`
    WITH side AS (
      SELECT i.id, max(e.kind = 'factura.created') AS created, max(e.fingerprint = i.fingerprint) AS same
      FROM sweep_item i LEFT JOIN analysis a ON a.document_key = i.key LEFT JOIN document_event e ON e.delivery_id = a.delivery_id
      WHERE i.id BETWEEN ?1 AND ?2 GROUP BY i.id)
    SELECT count(*) AS items, sum(created) AS created, sum(same) AS same,
      (SELECT count(DISTINCT e.document_key) FROM document_event e WHERE coalesce(e.issued_at, e.instant) BETWEEN ?3 AND ?4
       AND NOT EXISTS (SELECT 1 FROM sweep_item i WHERE i.key = e.document_key AND i.id BETWEEN ?1 AND ?2)) AS unlisted
    FROM side`)
  const [from, to] = [Date.parse(SWEEP.range.from ?? '') * 1_000, Date.parse(SWEEP.range.to ?? '') * 1_000]
  return {
    run: (id: number) => statement.get(id * 2 ** 32, (id + 1) * 2 ** 32 - 1, from, to),
    [Symbol.dispose]: () => db.close(),
  }
}
