import { AcuseError } from '#contract/errors.ts'
import type { Incidents } from '../incidents.ts'
import type { StoreWorkers } from '../open.ts'
import type { Link } from '../wire/link.ts'
import type { WriterCalls } from '../writer/protocol.ts'
import { Errand } from './errand.ts'

/** What was brought back, and the smallest id among it, from which on analysis looks again. */
export interface Salvaged {
  readonly recovered: number
  readonly lowestId: number
}

/**
 * Brings back what can be read of a database set aside, what lay in its trash into the trash. What is there already is not taken twice, so it may be asked for again.
 * @param at names the incident
 * @param now milliseconds since the epoch
 * @param onProgress told after each step
 * @throws AcuseError `not-found`, `conflict`; SQLite's error when nothing can be read
 */
export async function salvage(
  at: number,
  incidents: Incidents,
  workers: StoreWorkers,
  writer: Link<WriterCalls>,
  now: number,
  onProgress: (progress: Salvaged) => void,
): Promise<Salvaged> {
  const incident = incidents.find(at)
  const [kept] = incident?.setAside ?? []
  if (!incident || kept === undefined || incident.salvage === 'none')
    throw new AcuseError('not-found', `No database was set aside at ${at}.`, { at })
  if (incident.salvage === 'running')
    throw new AcuseError('conflict', 'It is being salvaged already.', { at })
  incidents.change(at, { salvage: 'running', recovered: 0 })
  const damaged = kept.replace(/-(?:wal|shm)$/, '')
  const errand = new Errand(workers)
  let progress: Salvaged = { recovered: 0, lowestId: Number.MAX_SAFE_INTEGER }
  try {
    for await (const { rows, chunks } of errand.salvage(damaged)) {
      for (const { upload, seq, bytes } of chunks) await writer.call('chunk', upload, seq, bytes)
      const recovered = progress.recovered + (await writer.call('adopt', rows, now))
      progress = { recovered, lowestId: Math.min(progress.lowestId, rows[0]?.id ?? progress.lowestId) }
      incidents.change(at, { recovered })
      onProgress(progress)
    }
    incidents.change(at, { salvage: 'done' })
    return progress
  } catch (error) {
    incidents.change(at, { salvage: 'failed' })
    throw error
  } finally {
    await errand.end()
  }
}
