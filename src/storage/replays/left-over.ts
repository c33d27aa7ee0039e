import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

const LEFT_OVER = `SELECT EXISTS (SELECT 1 FROM job WHERE state NOT IN ('done', 'cancelled'))
  OR EXISTS (SELECT 1 FROM forward WHERE settings ->> '$.enabled' AND NOT settings ->> '$.temporary') AS found`

/**
 * Whether there is something to go on with: a job that is not finished, or a forward that is on. Cheap, so that a process that has nothing
 * to send needs no thread for it.
 * @param path of replays.db
 * @returns true also when it cannot be told: opening it properly finds out what is wrong
 */
export function hasLeftOver(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    using db = new DatabaseSync(path, { readOnly: true, timeout: 2_000 })
    return db.prepare(LEFT_OVER).get()?.found === 1
  } catch {
    return true
  }
}
