import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { appendAtOnce, openTestStore } from '../support/store.ts'

/** Deliveries of `soundStore`, and the size of a page of its file. */
export const ROWS = 400
export const PAGE = 16_384
export const bodyOf = (n: number) => `delivery ${n} ${'x'.repeat(2_000)}`

interface Damage {
  readonly name: string
  /** Whether the store sets the file aside and records an incident. */
  readonly incident: boolean
  /** Does the damage. @returns nothing, or a function that ends it */
  readonly place: (file: string, folder: string) => unknown
}

export function overwrite(file: string, at: number, bytes: Buffer): void {
  const fd = openSync(file, 'r+')
  writeSync(fd, bytes, 0, bytes.byteLength, at)
  closeSync(fd)
}

/** @returns the offset of the root page of a table or index */
export function rootOf(file: string, name: string): number {
  using db = new DatabaseSync(file, { readOnly: true })
  const row = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name)
  return (Number(row?.rootpage) - 1) * PAGE
}

const blank = (file: string, ...pages: readonly number[]) => {
  for (const at of pages) overwrite(file, at, Buffer.alloc(PAGE))
}

const size = (file: string): number => lstatSync(file).size

const elsewhere = (file: string, folder: string) => renameSync(file, join(folder, 'elsewhere'))

const SET_ASIDE: Readonly<Record<string, Damage['place']>> = {
  '0 bytes': (file) => truncateSync(file),
  'cut to 50 %': (file) => truncateSync(file, Math.floor(size(file) / 2 / PAGE) * PAGE),
  'cut to 99 %': (file) => truncateSync(file, Math.floor(size(file) * 0.99)),
  header: (file) => overwrite(file, 0, Buffer.alloc(100, 0xa5)),
  'root page of the payloads': (file) => blank(file, rootOf(file, 'payload')),
  'schema and both roots': (file) => blank(file, rootOf(file, 'delivery'), rootOf(file, 'payload'), 0),
  noise: (file) => writeFileSync(file, Buffer.alloc(100_000, 7)),
  'root page': (file) => blank(file, rootOf(file, 'delivery')),
  freelist: (file) => overwrite(file, 32, Buffer.alloc(8, 0xa5)),
  index: (file) => blank(file, rootOf(file, 'delivery_rejected')),
  directory(file, folder) {
    elsewhere(file, folder)
    mkdirSync(file)
  },
  'the database of another program'(file, folder) {
    elsewhere(file, folder)
    using db = new DatabaseSync(file)
    db.exec('CREATE TABLE letters (a); INSERT INTO letters VALUES (1)')
  },
  'symbolic link'(file, folder) {
    elsewhere(file, folder)
    symlinkSync(join(folder, 'elsewhere'), file)
  },
  pipe(file, folder) {
    elsewhere(file, folder)
    spawnSync('mkfifo', [file])
  },
}
const MENDED: Readonly<Record<string, Damage['place']>> = {
  '-wal': (file) => writeFileSync(`${file}-wal`, Buffer.alloc(50_000, 0x5a)),
  '-shm, and no right to either'(file) {
    writeFileSync(`${file}-wal`, '', { mode: 0o400 })
    writeFileSync(`${file}-shm`, Buffer.alloc(50_000, 0x5a), { mode: 0 })
    chmodSync(`${file}-shm`, 0)
  },
  'read-only file': (file) => chmodSync(file, 0o400),
  'read-only folder': (_, folder) => chmodSync(folder, 0o500),
  locked(file) {
    const db = new DatabaseSync(file)
    db.exec('PRAGMA journal_mode=WAL; BEGIN IMMEDIATE')
    const timer = setTimeout(() => db.close(), 6_000)
    return () => clearTimeout(timer)
  },
}
export const DAMAGES: readonly Damage[] = [SET_ASIDE, MENDED].flatMap((places) =>
  Object.entries(places).map(([name, place]) => ({ name, place, incident: places === SET_ASIDE })),
)

/**
 * Damages a store, opens it in a process that must obey file modes, and salvages its rows.
 * @param sound captured.db of `soundStore`
 */
export async function damageRound({ name, incident, place }: Damage, sound: Buffer) {
  const folder = mkdtempSync(join(tmpdir(), 'acuse-damage-'))
  const file = join(folder, 'captured.db')
  writeFileSync(file, sound, { mode: 0o600 })
  writeFileSync(join(folder, 'reserved-ids'), `${ROWS}\n`)
  const release = place(file, folder)
  const inode = lstatSync(file).ino
  /** Number of readable deliveries in the damaged file; `salvaged`: number in the store at the end. */
  const undamaged = wholeIn(file)
  try {
    const script = join(import.meta.dirname, '../support/opening-child.ts')
    const child = held(script, folder, incident ? 'incident' : 'ok')
    let out = ''
    child.stdout?.on('data', (text: Buffer) => {
      out += text.toString()
    })
    await once(child, 'close')
    // receivingMs: time until a delivery was stored; null when the store refused to open.
    const { receivingMs = null, state = 'refused', stored = 0, incidents = 0 } = JSON.parse(out || '{}')
    // The damaged file must still exist, under any name.
    const kept = readdirSync(folder).some((found) => lstatSync(join(folder, found)).ino === inode)
    return { name, receivingMs, state, incidents, undamaged, salvaged: stored - 1, kept }
  } finally {
    if (typeof release === 'function') release()
    chmodSync(folder, 0o700)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns a whole captured.db with ROWS deliveries; the third is pinned and has a note and tags */
export async function soundStore(): Promise<Buffer> {
  const opened = await openTestStore()
  await appendAtOnce(opened.store, ROWS, (n) => ({ body: bodyOf(n) }))
  await opened.store.deliveries.annotate({ ids: [3], note: 'Sí', addTags: ['a', 'b'] })
  await opened.store.deliveries.pin([3], true)
  await opened.store.close()
  const sound = readFileSync(join(opened.folder, 'captured.db'))
  await opened[Symbol.asyncDispose]()
  return sound
}

function wholeIn(file: string): number {
  if (!existsSync(file) || !lstatSync(file).isFile()) return 0
  const bytes = readFileSync(file)
  return Array.from({ length: ROWS }, (_, n) => bytes.includes(bodyOf(n))).filter(Boolean).length
}

/** Starts a script without root's right to ignore file modes; kills it when it hangs. */
function held(script: string, ...args: readonly string[]) {
  const command = [process.execPath, script, ...args]
  const capabilities = '--bounding-set=-dac_override,-dac_read_search'
  const [first = '', ...rest] = process.getuid?.() === 0 ? ['setpriv', capabilities, ...command] : command
  return spawn(first, rest, { stdio: ['ignore', 'pipe', 'inherit'], timeout: 100_000, killSignal: 'SIGKILL' })
}
