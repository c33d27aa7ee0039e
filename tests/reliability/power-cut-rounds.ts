import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { analyse } from '#core/checks/analyse.ts'
import { type Disk, folderOf, type LogFile } from '#log/disk.ts'
import { Analyst } from '#storage/analyst/analyst.ts'
import { anEvent, aUuid } from '../support/events.ts'
import { bodiesIn, FilingWriter } from '../support/filing-writer.ts'

const PAGE = 512
const BLOCK = 4_096
const SEGMENT = 32 * 1024
/** Per run, which begins with an empty store. */
const STEPS = 150
const CUTS_PER_STEP = 0.2

type Files = ReadonlyMap<string, Buffer>

/** The log's disk, which remembers what each write since the last sync has replaced. */
class RecordingDisk implements Disk {
  readonly #inner: Disk
  /** Pages written since the sync of their file, with their former content. */
  #unsynced: { readonly name: string; readonly at: number; readonly before: Buffer }[] = []
  /** Files whose removal is not synced. */
  #removed = new Map<string, Buffer>()
  /** How many segments were begun anew over older records. */
  recycled = 0
  /** Called between a write and its sync. */
  written: () => void = () => undefined
  readonly make: Disk['make']
  readonly list: Disk['list']
  readonly free: Disk['free']

  constructor(inner: Disk) {
    this.#inner = inner
    this.make = inner.make
    this.list = inner.list
    this.free = inner.free
  }

  create(name: string): LogFile {
    const file = this.#inner.create(name)
    // Creation syncs the folder.
    this.#removed.clear()
    return this.#recorded(name, file)
  }

  open(name: string): LogFile {
    return this.#recorded(name, this.#inner.open(name))
  }

  remove(name: string): void {
    this.#removed.set(name, contentOf(this.#inner.open(name)))
    this.#inner.remove(name)
  }

  /** @param keeps whether a page written or a removal since the last sync survives */
  left(keeps: () => boolean): Files {
    const files = new Map(this.list().map((name) => [name, contentOf(this.#inner.open(name))]))
    for (const { name, at, before } of this.#unsynced)
      if (!keeps()) before.copy(files.get(name) ?? before, at)
    for (const [name, bytes] of this.#removed) if (!keeps()) files.set(name, bytes)
    return files
  }

  #recorded(name: string, file: LogFile): LogFile {
    return {
      write: (bytes, at) => {
        const length = bytes.byteLength
        for (let from = at; from < at + length; ) {
          const until = Math.min(at + length, from - (from % PAGE) + PAGE)
          const before = Buffer.alloc(until - from)
          file.read(before, from)
          if (from === 0 && before.some((byte) => byte !== 0)) this.recycled += 1
          this.#unsynced.push({ name, at: from, before })
          from = until
        }
        file.write(bytes, at)
      },
      // The new end is synced with the bytes before it; without them it may survive.
      extend: (to) => file.extend(to),
      sync: () => {
        this.written()
        file.sync()
        this.#unsynced = this.#unsynced.filter((page) => page.name !== name)
      },
      zero: (at, length) => file.zero(at, length),
      read: (into, at) => file.read(into, at),
      size: () => file.size(),
      present: () => file.present(),
      close: () => file.close(),
    }
  }
}

function contentOf(file: LogFile): Buffer {
  const content = Buffer.alloc(file.size())
  file.read(content, 0)
  file.close()
  return content
}

/** Replaces random blocks of `earlier` by those of `later`, and tears one of them in the middle. */
function mixed(earlier: Buffer, later: Buffer, random: () => number): Buffer {
  const result = Buffer.alloc(later.length)
  earlier.copy(result)
  const torn = Math.floor((random() * later.length) / BLOCK)
  for (let n = 0; n * BLOCK < later.length; n++) {
    if (random() < 0.5) later.copy(result, n * BLOCK, n * BLOCK, (n + 1) * BLOCK)
    if (n === torn) later.copy(result, n * BLOCK, n * BLOCK, Math.floor((n + random()) * BLOCK))
  }
  return result
}

/** A database and its write-ahead log, as a power cut leaves them. */
type Left = readonly [database: Buffer, wal: Buffer]

/** A database whose transactions are not synced: only its checkpoints are. */
class UnsyncedDatabase {
  readonly #paths: readonly [string, string]
  /** The write-ahead log as the last checkpoint synced it. */
  #synced: Buffer

  constructor(path: string) {
    this.#paths = [path, `${path}-wal`]
    this.#synced = this.#read()[1]
  }

  /** With any part of what was written since the last checkpoint. */
  left(random: () => number): Left {
    const [database, wal] = this.#read()
    return [database, mixed(this.#synced, wal, random)]
  }

  /** @returns what a cut within the checkpoint leaves; undefined when there was nothing to move */
  within(checkpoint: () => void, random: () => number): Left | undefined {
    const [before, wal] = this.#read()
    checkpoint()
    const [after, emptied] = this.#read()
    if (after.equals(before)) return undefined
    this.#synced = emptied
    // SQLite syncs the write-ahead log before it moves it.
    return [mixed(before, after, random), wal]
  }

  #read(): Left {
    const [path, wal] = this.#paths
    return [readFileSync(path), readFileSync(wal)]
  }
}

const openAnalyst = (folder: string, derived = 'derived.db') =>
  new Analyst(
    { captured: join(folder, 'captured.db'), derived: join(folder, derived), rebuild: false },
    analyse,
  )

const RESULTS =
  'analysis findings document document_event observed_type rollup rollup_sort rollup_total observed observed_count drift'.split(
    ' ',
  )

const isWhole = (db: DatabaseSync): boolean =>
  db.prepare('PRAGMA integrity_check').get()?.integrity_check === 'ok'

/** Analyses what is left to analyse. @returns all results, in the order of their keys */
function resultsOf(folder: string, derived?: string): string {
  const analyst = openAnalyst(folder, derived)
  while (analyst.step());
  analyst.close()
  using db = new DatabaseSync(join(folder, derived ?? 'derived.db'), { readOnly: true })
  const tables = RESULTS.map((table) => {
    const rows = db.prepare(`SELECT * FROM ${table}`)
    // `analysis.body` has 64 bits.
    rows.setReadBigInts(true)
    return rows.all()
  })
  const found = db.prepare("SELECT rowid FROM search('hooks') ORDER BY rowid").all()
  return JSON.stringify([tables, found], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}

/**
 * Records what runs of log, filing, analysis and checkpoints write, and cuts the power at random moments: between two steps, between a
 * write and its sync, and within a checkpoint. A cut keeps all that was synced, and any part of the rest in any order. Each state left is
 * opened, filed and analysed to the end; the results must be those of an analysis without a cut.
 * @param states how many @param random gives numbers in [0, 1), seeded by the caller
 */
export async function powerCutRounds(states: number, random: () => number) {
  const seen = {
    states: 0,
    answered: 0,
    recycled: 0,
    checkpoints: 0,
    torn: 0,
    partial: 0,
    /** Cuts that undid analysis, and checkpoints of its results. */
    undone: 0,
    judged: 0,
    problems: [] as string[],
  }
  while (seen.states < states) await oneRun(states, seen, random)
  return seen
}

async function oneRun(
  states: number,
  seen: Awaited<ReturnType<typeof powerCutRounds>>,
  random: () => number,
) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-cut-'))
  mkdirSync(join(folder.path, 'data'), { mode: 0o700 })
  const data = join(folder.path, 'data')
  const disk = new RecordingDisk(folderOf(join(data, 'log')))
  const filing = new FilingWriter(data, Date.now(), SEGMENT, disk)
  const analyst = openAnalyst(data)
  const captured = new UnsyncedDatabase(join(data, 'captured.db'))
  const derived = new UnsyncedDatabase(join(data, 'derived.db'))
  const answered: string[] = []
  let asked: readonly string[] = []
  const keeps = () => random() < 0.5
  const cut = (log: Files, databases: readonly [captured: Left, derived: Left]) => {
    if (seen.states >= states) return
    const left = join(folder.path, 'left')
    rmSync(left, { recursive: true, force: true })
    mkdirSync(join(left, 'log'), { recursive: true, mode: 0o700 })
    for (const [name, bytes] of log) writeFileSync(join(left, 'log', name), bytes, { mode: 0o600 })
    const ids = join(data, 'reserved-ids')
    if (existsSync(ids)) copyFileSync(ids, join(left, 'reserved-ids'))
    for (const [at, [database, wal]] of databases.entries()) {
      const path = join(left, at === 0 ? 'captured.db' : 'derived.db')
      writeFileSync(path, database, { mode: 0o600 })
      writeFileSync(`${path}-wal`, wal, { mode: 0o600 })
    }
    const opened = new FilingWriter(left, Date.now(), SEGMENT)
    const problems = opened.told.flatMap(([name, args]) =>
      name === 'logProblem' ? JSON.stringify(args) : [],
    )
    if (opened.log.tornBytes > 0) seen.torn += 1
    seen.partial += problems.filter((one) => one.includes('partial')).length
    opened.close()
    using db = new DatabaseSync(join(left, 'captured.db'))
    const found = bodiesIn(db)
    const known = new Set(answered)
    const others = found.filter((body) => !known.has(body) && !asked.includes(body))
    const same = found.filter((body) => known.has(body)).join() === answered.join()
    const damaged = problems.filter((one) => !one.includes('partial'))
    using results = new DatabaseSync(join(left, 'derived.db'))
    const whole = isWhole(db) && isWhole(results)
    const upto = Number(
      results.prepare("SELECT value FROM progress WHERE key = 'analysed_upto'").get()?.value ?? 0,
    )
    if (upto < analyst.upto) seen.undone += 1
    const alike = resultsOf(left) === resultsOf(left, 'anew.db')
    seen.states += 1
    if (!whole || !same || !alike || others.length + damaged.length > 0)
      seen.problems.push(
        `${found.length} of ${answered.length}, ${others.length} unknown, ${damaged}, whole: ${whole}, results alike: ${alike}`,
      )
  }
  const cutNow = () => cut(disk.left(keeps), [captured.left(random), derived.left(random)])
  disk.written = () => {
    if (random() < CUTS_PER_STEP) cutNow()
  }
  for (let step = 0; step < STEPS && seen.states < states; step++) {
    asked = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, n) => {
      const event = JSON.stringify(
        anEvent('factura.created', { data: { DocumentId: aUuid(step % 7), Number: `${step}.${n}` } }),
      )
      return event.padEnd(event.length + random() * (random() < 0.2 ? 20_000 : 1_000))
    })
    // Sometimes filing falls behind, and analysis too.
    if (step % 20 < 5) filing.deliverLater(...asked)
    else filing.deliver(...asked)
    answered.push(...asked)
    asked = []
    await filing.log.prepare()
    if (random() < 0.7) while (analyst.step(5));
    if (random() < CUTS_PER_STEP) cutNow()
    const log = disk.left(() => true)
    const moved = captured.within(() => filing.writer.idle(), random)
    if (moved) {
      seen.checkpoints += 1
      cut(log, [moved, derived.left(random)])
    }
    const judged = derived.within(() => analyst.idle(), random)
    if (judged) {
      seen.judged += 1
      cut(log, [captured.left(random), judged])
    }
  }
  seen.answered += answered.length
  seen.recycled += disk.recycled
  analyst.close()
  filing.close()
}
