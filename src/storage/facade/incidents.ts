import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Incident } from '#contract/status.ts'
import { DATABASE_SUFFIXES, kindOf, readSmall, replaceFile, type StoreFiles } from '../disk/files.ts'
import { withReserve } from '../disk/space.ts'
import type { SetAside } from '../sql/open-own.ts'

const SET_ASIDE = /^captured\.damaged-(\d+)\.db(?:-wal)?$/
/** Deliveries can lie in these; the -shm is an index into the -wal. */
const READABLE = /\.db(?:-wal)?$/

/** The databases set aside, remembered outside of any database. */
export class Incidents {
  readonly #files: StoreFiles
  #list: readonly Incident[]

  constructor(files: StoreFiles) {
    this.#files = files
    this.#list = read(files.incidents)
    for (const found of readdirSync(files.folder)) this.#adopt(found)
  }

  list(): readonly Incident[] {
    return this.#list
  }

  find(at: number): Incident | undefined {
    return this.#list.find((incident) => incident.at === at)
  }

  add({ at, kind, reason, files }: SetAside): void {
    const fresh = this.#files.captured
    const salvage = files.some((path) => READABLE.test(path)) ? 'offered' : 'none'
    this.#save([...this.#list, { at, kind, reason, setAside: files, fresh, salvage, recovered: 0 }])
  }

  change(at: number, change: Partial<Pick<Incident, 'salvage' | 'recovered'>>): void {
    this.#save(this.#list.map((incident) => (incident.at === at ? { ...incident, ...change } : incident)))
  }

  /** A crash may have come between setting a database aside and writing that down. */
  #adopt(name: string): void {
    const at = Number(SET_ASIDE.exec(name)?.[1])
    if (Number.isNaN(at) || this.find(at)) return
    const stem = join(this.#files.folder, name.replace(/-wal$/, ''))
    const files = DATABASE_SUFFIXES.map((suffix) => stem + suffix).filter(
      (path) => kindOf(path) !== 'nothing',
    )
    this.add({ at, kind: 'damaged', reason: 'It was found set aside; the reason was not recorded.', files })
  }

  /** A full disk must not keep a fresh store from taking over: the list is then only remembered until the end of the process. */
  #save(list: readonly Incident[]): void {
    this.#list = list
    try {
      withReserve(this.#files.folder, 'record', () =>
        replaceFile(this.#files.incidents, `${JSON.stringify(list, null, 2)}\n`),
      )
    } catch {
      return
    }
  }
}

/** None where the list cannot be read: files set aside are found again by their names. */
function read(path: string): readonly Incident[] {
  try {
    const found: unknown = JSON.parse(readSmall(path))
    if (!Array.isArray(found)) return []
    // A salvage that a crash interrupted can be asked for again: what it brought back already keeps its id and is not taken twice.
    return (found as Incident[]).map((one) => ({
      ...one,
      // Version 0.1 knew one kind only.
      kind: one.kind ?? 'damaged',
      salvage: one.salvage === 'running' ? 'offered' : one.salvage,
    }))
  } catch {
    return []
  }
}
