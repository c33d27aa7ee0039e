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
import { type Disk, folderOf, type LogFile } from '#log/disk.ts'
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
  readonly list: Disk['list']
  readonly free: Disk['free']

  constructor(inner: Disk) {
    this.#inner = inner
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

const read = (folder: string, ...names: readonly string[]) =>
  names.map((name) => readFileSync(join(folder, name)))

/**
 * Records what runs of log, filing and checkpoints write, and cuts the power at random moments: between two steps, between a write and
 * its sync, and within a checkpoint. A cut keeps all that was synced, and any part of the rest in any order. Each state left is opened.
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
  const answered: string[] = []
  let asked: readonly string[] = []
  const keeps = () => random() < 0.5
  const cut = (log: Files, database: Buffer, wal: Buffer) => {
    if (seen.states >= states) return
    const left = join(folder.path, 'left')
    rmSync(left, { recursive: true, force: true })
    mkdirSync(join(left, 'log'), { recursive: true, mode: 0o700 })
    for (const [name, bytes] of log) writeFileSync(join(left, 'log', name), bytes, { mode: 0o600 })
    const ids = join(data, 'reserved-ids')
    if (existsSync(ids)) copyFileSync(ids, join(left, 'reserved-ids'))
    writeFileSync(join(left, 'captured.db'), database, { mode: 0o600 })
    writeFileSync(join(left, 'captured.db-wal'), wal, { mode: 0o600 })
    const opened = new FilingWriter(left, Date.now(), SEGMENT)
    const problems = opened.told.flatMap(([name, args]) =>
      name === 'logProblem' ? JSON.stringify(args) : [],
    )
    if (opened.log.tornBytes > 0) seen.torn += 1
    seen.partial += problems.filter((one) => one.includes('partial')).length
    opened.close()
    using db = new DatabaseSync(join(left, 'captured.db'))
    const found = bodiesIn(db)
    const whole = db.prepare('PRAGMA integrity_check').get()?.integrity_check === 'ok'
    const known = new Set(answered)
    const others = found.filter((body) => !known.has(body) && !asked.includes(body))
    const same = found.filter((body) => known.has(body)).join() === answered.join()
    const damaged = problems.filter((one) => !one.includes('partial'))
    seen.states += 1
    if (!whole || !same || others.length + damaged.length > 0)
      seen.problems.push(`${found.length} of ${answered.length}, ${others.length} unknown, ${damaged}`)
  }
  /** The write-ahead log as the last checkpoint synced it. */
  let [synced = Buffer.alloc(0)] = read(data, 'captured.db-wal')
  const cutNow = () => {
    const [database = synced, wal = synced] = read(data, 'captured.db', 'captured.db-wal')
    cut(disk.left(keeps), database, mixed(synced, wal, random))
  }
  disk.written = () => {
    if (random() < CUTS_PER_STEP) cutNow()
  }
  for (let step = 0; step < STEPS && seen.states < states; step++) {
    asked = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, n) =>
      `${step}.${n} `.padEnd(random() * (random() < 0.2 ? 20_000 : 2_000), 'x'),
    )
    // Sometimes filing falls behind.
    if (step % 20 < 5) filing.deliverLater(...asked)
    else filing.deliver(...asked)
    answered.push(...asked)
    asked = []
    await filing.log.prepare()
    if (random() < CUTS_PER_STEP) cutNow()
    const [before = synced, wal = synced] = read(data, 'captured.db', 'captured.db-wal')
    const log = disk.left(() => true)
    filing.writer.idle()
    const [database = synced] = read(data, 'captured.db')
    if (database.equals(before)) continue
    seen.checkpoints += 1
    ;[synced = wal] = read(data, 'captured.db-wal')
    // SQLite syncs the write-ahead log before it moves it.
    cut(log, mixed(before, database, random), wal)
  }
  seen.answered += answered.length
  seen.recycled += disk.recycled
  filing.close()
}
