import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Params, Result } from '#contract/commands.ts'
import { badRecord, type Refusal, refused, toRefusal } from '#contract/errors.ts'
import { isTag, NOTE_LENGTH, TAGS_PER_DELIVERY, tagOf } from '#contract/tags.ts'
import type { ImportState, SessionParts } from '#contract/transfer.ts'
import { ownFileTrouble } from '#core/file-trouble.ts'
import type { NewDelivery, Store } from '#core/ports.ts'
import type { ImportedDelivery } from '#interop/imports/record.ts'
import { LATEST } from '#interop/records.ts'
import type { MergedAs, MergedAttempts, SessionLinks } from '#storage/replays/merge.ts'
import type { MergedSweep } from '#storage/sweeps/merge.ts'
import type { ImportBatch, ImportFileParams } from './worker.ts'

/** Takes over what a session file holds besides deliveries. Links: ids of its deliveries, with those here. */
export interface SessionMerge {
  attempts(path: string, links: SessionLinks): Promise<MergedAttempts>
  sweeps(path: string, links: SessionLinks): Promise<readonly MergedSweep[]>
}

interface ImportParts {
  readonly store: Pick<Store, 'deliveries' | 'capture'>
  /** Folder for the files while they are being imported. */
  readonly folder: string
  read(file: ImportFileParams): Promise<AsyncGenerator<ImportBatch>>
  readonly merge: SessionMerge
}

const PROBLEMS_KEPT = 100
const MOST_AT_ONCE = 8
/** A larger body goes into the log in pieces, as it does when a sender delivers it. */
const PIECE = 1024 * 1024

/** Deliveries whose attempts are merged at once. */
const LINKED = 500
const NONE = { taken: 0, known: 0, leftOut: 0 }

interface Run {
  readonly path: string
  readonly file: Omit<ImportFileParams, 'path'>
  readonly importedAt: number
  received: number
  state: ImportState
  /** Deliveries whose attempts are not yet merged. */
  links: Map<number, number>
  /** Events that were rebuilt, to which sweeps refer. */
  readonly rebuilt: Map<number, number>
  readonly jobs: Map<number, MergedAs>
  working: Promise<void>
}

const tally = (all: readonly MergedAs[]) => {
  const of = (as: MergedAs) => all.filter((one) => one === as).length
  return { taken: of('taken'), known: of('known'), leftOut: of('leftOut') }
}

const ENDED: ReadonlySet<ImportState['state']> = new Set(['done', 'failed', 'cancelled'])

/** Imports in progress: each file arrives in pieces, is then read by the thread, and its deliveries go into the log like any other. */
export class ImportRuns {
  readonly #parts: ImportParts
  readonly #runs = new Map<number, Run>()
  #last = 0
  /** Files are read in sequence: two with the same deliveries would not know of each other. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(parts: ImportParts) {
    this.#parts = parts
  }

  open({ name, modifiedAt, endpoint = 'default' }: Params<'import.open'>): { readonly id: number } {
    if (this.#runs.size >= MOST_AT_ONCE) throw refused('conflict', 'too-many-imports', { most: MOST_AT_ONCE })
    // Left over from a process that ended during an import.
    if (this.#runs.size === 0) rmSync(this.#parts.folder, { recursive: true, force: true })
    mkdirSync(this.#parts.folder, { recursive: true, mode: 0o700 })
    const now = Date.now() * 1_000
    const id = ++this.#last
    this.#runs.set(id, {
      path: join(this.#parts.folder, randomUUID()),
      file: { name, endpoint, at: modifiedAt === undefined ? now : Math.min(modifiedAt * 1_000, LATEST) },
      importedAt: now,
      received: 0,
      links: new Map(),
      rebuilt: new Map(),
      jobs: new Map(),
      working: Promise.resolve(),
      state: {
        state: 'receiving',
        format: null,
        imported: 0,
        duplicates: 0,
        bad: 0,
        problems: [],
        session: null,
        reason: null,
        firstId: null,
        lastId: null,
      },
    })
    return { id }
  }

  async write({ id, bytesBase64 }: Params<'import.write'>): Promise<Result<'import.write'>> {
    const run = this.#run(id)
    if (run.state.state !== 'receiving') throw refused('conflict', 'import-running', { id })
    const bytes = Buffer.from(bytesBase64, 'base64')
    const written = run.working.then(() => appendFile(run.path, bytes, { mode: 0o600 }))
    run.working = written.catch(() => undefined)
    await written.catch((error: unknown) => {
      throw ownFileTrouble(this.#parts.folder, 'written', error)
    })
    run.received += bytes.length
    return { received: run.received }
  }

  run(id: number): ImportState {
    const run = this.#run(id)
    if (run.state.state !== 'receiving') throw refused('conflict', 'import-running', { id })
    this.#set(run, { state: 'reading' })
    this.#turn = Promise.all([this.#turn, run.working]).then(() => {
      // Cancelled while it waited.
      if (this.#runs.get(id) !== run) return
      run.working = this.#take(run)
        .finally(() => rmSync(run.path, { force: true }))
        .catch((error: unknown) => this.#set(run, { state: 'failed', reason: toRefusal(error) }))
      return run.working
    })
    return run.state
  }

  get(id: number): ImportState {
    return this.#run(id).state
  }

  async forget(id: number): Promise<ImportState> {
    const run = this.#run(id)
    if (!ENDED.has(run.state.state)) this.#set(run, { state: 'cancelled' })
    this.#runs.delete(id)
    await run.working
    rmSync(run.path, { force: true })
    return run.state
  }

  async close(): Promise<void> {
    await Promise.all([...this.#runs.keys()].map((id) => this.forget(id)))
  }

  #run(id: number): Run {
    const run = this.#runs.get(id)
    if (!run) throw refused('not-found', 'no-import', { id })
    return run
  }

  #set(run: Run, change: Partial<ImportState>): void {
    run.state = { ...run.state, ...change }
  }

  async #take(run: Run): Promise<void> {
    // An empty file has no piece.
    await appendFile(run.path, '', { mode: 0o600 })
    let counts: ImportBatch['counts'] = null
    for await (const batch of await this.#parts.read({ ...run.file, path: run.path })) {
      if (run.state.state === 'cancelled') return
      await this.#store(run, batch)
      // Frees the memory at once: V8 would let that of many batches pile up before a collection.
      batch.memory.transfer(0)
      counts = batch.counts
      if (counts) this.#count(run, {})
      if (run.links.size >= LINKED) await this.#mergeAttempts(run)
    }
    if (counts) await this.#mergeRest(run, counts)
    this.#set(run, { state: 'done' })
  }

  async #store(run: Run, { format, found, duplicates, known, counts }: ImportBatch): Promise<void> {
    const records = found.flatMap((one) => ('imported' in one ? [one] : []))
    const imported = records.map((one) => one.imported)
    const bad = found.flatMap((one) => ('reason' in one ? [{ place: one.place, reason: one.reason }] : []))
    const bodies = await Promise.all(imported.map(({ delivery }) => this.#bodyOf(delivery.body)))
    // Appended in one turn: the order in the file is the order of the ids.
    const appended = await Promise.allSettled(
      imported.map(({ delivery }, at) =>
        this.#parts.store.capture.append({
          ...delivery,
          body: bodies[at] ?? delivery.body,
          importedAt: run.importedAt,
        }),
      ),
    )
    const ids = appended.map((one) => (one.status === 'fulfilled' ? one.value.id : null))
    const link = (theirs: number | undefined, id: number | null | undefined, synthetic = false) => {
      if (theirs === undefined || id === null || id === undefined) return
      if (counts?.attempts) run.links.set(theirs, id)
      if (synthetic) run.rebuilt.set(theirs, id)
    }
    for (const { theirs, id, synthetic } of known) link(theirs, id, synthetic)
    for (const [at, one] of records.entries()) link(one.theirs, ids[at], one.imported.delivery.synthetic)
    const stored = ids.filter((id) => id !== null)
    this.#set(run, {
      format,
      imported: run.state.imported + stored.length,
      duplicates: run.state.duplicates + duplicates,
      bad: run.state.bad + bad.length,
      problems: [...run.state.problems, ...bad].slice(0, PROBLEMS_KEPT),
      firstId: run.state.firstId ?? stored[0] ?? null,
      lastId: stored.at(-1) ?? run.state.lastId,
    })
    await this.#complete(imported, ids)
    for (const one of known) await this.#annotate(one.id, one)
    const failed = appended.find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
    // The log must not grow faster than it is filed.
    await this.#parts.store.deliveries.filed(stored.slice(-1))
  }

  async #bodyOf(body: Uint8Array): Promise<NewDelivery['body']> {
    if (body.length <= PIECE) return body
    const sink = this.#parts.store.capture.openBody()
    try {
      for (let at = 0; at < body.length; at += PIECE)
        await sink.write(Uint8Array.from(body.subarray(at, at + PIECE)))
      return await sink.finish()
    } catch (error) {
      await sink.abandon().catch(() => undefined)
      throw error
    }
  }

  /** Adds what a delivery gets only after its arrival: the duration of its answer, and what users said about it. */
  async #complete(imported: readonly ImportedDelivery[], ids: readonly (number | null)[]): Promise<void> {
    const { capture } = this.#parts.store
    for (const [at, one] of imported.entries()) {
      const { delivery, tookUs, answeredBy } = one
      const id = ids[at]
      if (id === null || id === undefined) continue
      if (answeredBy) capture.answered(id, tookUs, { by: answeredBy, answer: delivery.answer })
      else if (tookUs !== null) capture.answered(id, tookUs)
      await this.#annotate(id, one)
    }
  }

  async #annotate(
    id: number,
    { note, tags, pinned }: Pick<ImportedDelivery, 'note' | 'tags' | 'pinned'>,
  ): Promise<void> {
    if (pinned) await this.#parts.store.deliveries.pin([id], true)
    const addTags = tags.map(tagOf).filter(isTag).slice(0, TAGS_PER_DELIVERY)
    if (note === null && addTags.length === 0) return
    const noted = note === null ? {} : { note: note.slice(0, NOTE_LENGTH) }
    await this.#parts.store.deliveries.annotate({ ids: [id], addTags, ...noted })
  }

  async #mergeAttempts(run: Run): Promise<void> {
    if (run.links.size === 0) return
    const { attempts, jobs } = await this.#parts.merge.attempts(run.path, run.links)
    run.links = new Map()
    // A job is met with each of its deliveries: what it was at first counts.
    for (const [id, as] of jobs) if (!run.jobs.has(id)) run.jobs.set(id, as)
    const before = run.state.session?.attempts ?? NONE
    this.#count(run, {
      attempts: {
        taken: before.taken + attempts.taken,
        known: before.known + attempts.known,
        leftOut: before.leftOut + attempts.leftOut,
      },
      jobs: tally([...run.jobs.values()]),
    })
  }

  /** The attempts that are left, then the sweeps, whose rebuilt events must be here. */
  async #mergeRest(run: Run, counts: NonNullable<ImportBatch['counts']>): Promise<void> {
    await this.#mergeAttempts(run)
    const { taken, known, leftOut } = run.state.session?.attempts ?? NONE
    const without = counts.attempts - taken - known - leftOut
    if (without > 0) {
      this.#count(run, { attempts: { taken, known, leftOut: leftOut + without } })
      this.#say(run, 'attempts', badRecord('no-delivery', { count: without }))
    }
    if (leftOut > 0) this.#say(run, 'attempts', badRecord('unsound', { count: leftOut }))
    if (counts.sweeps === 0) return
    const merged = await this.#parts.merge.sweeps(run.path, run.rebuilt)
    const sweeps = tally(merged.map(({ as }) => as))
    this.#count(run, { sweeps })
    if (merged.some(({ torn }) => torn)) this.#say(run, 'sweeps', badRecord('torn-sweep'))
    if (sweeps.leftOut > 0) this.#say(run, 'sweeps', badRecord('unsound', { count: sweeps.leftOut }))
  }

  #count(run: Run, part: Partial<SessionParts>): void {
    const session = run.state.session ?? { attempts: NONE, jobs: NONE, sweeps: NONE }
    this.#set(run, { session: { ...session, ...part } })
  }

  /** Tells what was left out, even when other problems fill the list. */
  #say(run: Run, place: string, reason: Refusal): void {
    this.#set(run, { problems: [...run.state.problems.slice(0, PROBLEMS_KEPT - 1), { place, reason }] })
  }
}
