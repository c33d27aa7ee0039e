import type { DatabaseSync } from 'node:sqlite'
import { type Laboratory, laboratorySettings, NO_LABORATORY } from '../laboratory/settings.ts'

/** The laboratory's settings, kept over restarts. */
export class KeptLaboratory {
  readonly #db: DatabaseSync
  #now: Laboratory

  constructor(db: DatabaseSync) {
    this.#db = db
    const row = db.prepare(`SELECT content FROM settings WHERE name = 'laboratory'`).get()
    const kept = laboratorySettings.safeParse(row === undefined ? undefined : JSON.parse(String(row.content)))
    this.#now = kept.success ? kept.data : NO_LABORATORY
  }

  get(): Laboratory {
    return this.#now
  }

  set(laboratory: Laboratory): void {
    this.#db
      .prepare(`INSERT OR REPLACE INTO settings (name, content) VALUES ('laboratory', ?)`)
      .run(JSON.stringify(laboratory))
    this.#now = laboratory
  }
}
