import type { Worker } from 'node:worker_threads'
import { AcuseError } from '#contract/errors.ts'
import { type Remote, Thread } from '#threads/thread.ts'
import type { Incidents } from '../incidents.ts'
import type { ReaderHandlers } from '../reader/worker.ts'
import type { WriterHandlers } from '../writer/worker.ts'

/** What was brought back, and the smallest id among it, from which on analysis starts again. */
export interface Salvaged {
  readonly recovered: number
  readonly lowestId: number
}

export interface SalvageParts {
  readonly incidents: Incidents
  readonly writer: Pick<Remote<WriterHandlers>, 'chunk' | 'adopt'>
  /** A thread of its own reads: the list must not wait for it, and it can be cut off at any time. */
  readonly reader: () => Worker
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Called after each step. */
  onProgress(): void
}

/**
 * Brings back what can be read of a database set aside, and puts what was in its trash into the trash. A delivery that is there is not
 * taken twice, so it can be called again.
 * @param at names the incident
 * @throws AcuseError `not-found`, `conflict`; SQLite's error when nothing can be read
 */
export async function salvage(at: number, parts: SalvageParts): Promise<Salvaged> {
  const { incidents, writer, now } = parts
  const incident = incidents.find(at)
  const [kept] = incident?.setAside ?? []
  if (!incident || kept === undefined || incident.salvage === 'none')
    throw new AcuseError('not-found', `No database was set aside at ${at}.`, { at })
  if (incident.salvage === 'running')
    throw new AcuseError('conflict', 'It is being salvaged already.', { at })
  incidents.change(at, { salvage: 'running', recovered: 0 })
  const damaged = kept.replace(/-(?:wal|shm)$/, '')
  const thread = new Thread<ReaderHandlers>({ start: parts.reader, name: 'The thread that salvages' })
  let progress: Salvaged = { recovered: 0, lowestId: Number.MAX_SAFE_INTEGER }
  try {
    for await (const { rows, chunks } of await thread.call.salvage(damaged)) {
      for (const { upload, seq, bytes } of chunks) await writer.chunk(upload, seq, bytes)
      const recovered = progress.recovered + (await writer.adopt(rows, now))
      progress = { recovered, lowestId: Math.min(progress.lowestId, rows[0]?.id ?? progress.lowestId) }
      incidents.change(at, { recovered })
      parts.onProgress()
    }
    incidents.change(at, { salvage: 'done' })
    return progress
  } catch (error) {
    incidents.change(at, { salvage: 'failed' })
    throw error
  } finally {
    await thread.close()
  }
}
