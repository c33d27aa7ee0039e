import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { SandboxPluginSettings } from '#contract/sandbox.ts'

/** 192 random bits, so that a plain hash is all that has to be kept of it. */
export const newToken = (prefix: string): string => `${prefix}_${randomBytes(24).toString('base64url')}`

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Compares in a time that tells nothing about where they differ, nor of their lengths. */
export const sameToken = (given: string, expected: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(expected).digest())

export const bearer = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]

/** Key and plugin of the ready line go by this name; there is one of each, and they are issued again with every start. */
export const OWN_NAME = 'Acuse'

/** An API key as it may be shown: the key itself is known only to whom it was issued. */
interface ApiKey {
  readonly id: number
  readonly name: string
  readonly createdAt: number
}

export interface Plugin extends SandboxPluginSettings {
  readonly id: number
  readonly createdAt: number
}

export class ApiKeys {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  list(): readonly ApiKey[] {
    const rows = this.#db.prepare('SELECT id, name, created_at FROM keys ORDER BY id').all()
    return rows.map(({ id, name, created_at: at }) => {
      return { id: Number(id), name: String(name), createdAt: Number(at) }
    })
  }

  /** @param key given when a known one is to be accepted again; @returns the key, for this once */
  issue(name: string, now: number, key = newToken('key')): ApiKey & { readonly key: string } {
    this.#db.prepare('DELETE FROM keys WHERE hash = ?').run(hashOf(key))
    const { lastInsertRowid } = this.#db
      .prepare('INSERT INTO keys (name, hash, created_at) VALUES (?, ?, ?)')
      .run(name, hashOf(key), now)
    return { id: Number(lastInsertRowid), name, createdAt: now, key }
  }

  accepts(key: string): boolean {
    return this.#db.prepare('SELECT 1 FROM keys WHERE hash = ?').get(hashOf(key)) !== undefined
  }

  revoke(id: number): boolean {
    return this.#db.prepare('DELETE FROM keys WHERE id = ?').run(id).changes > 0
  }

  revokeNamed(name: string): void {
    this.#db.prepare('DELETE FROM keys WHERE name = ?').run(name)
  }
}

export class Plugins {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  list(): readonly Plugin[] {
    return this.#db.prepare('SELECT id, settings, created_at FROM plugins ORDER BY id').all().map(plugin)
  }

  get(id: number): Plugin | undefined {
    return this.list().find((one) => one.id === id)
  }

  /** @param token given when a known one is to be accepted again; @returns the token, for this once */
  install(
    settings: SandboxPluginSettings,
    now: number,
    token = newToken('plugin'),
  ): Plugin & { readonly token: string } {
    this.#db.prepare('DELETE FROM plugins WHERE hash = ?').run(hashOf(token))
    const { lastInsertRowid } = this.#db
      .prepare('INSERT INTO plugins (settings, hash, created_at) VALUES (?, ?, ?)')
      .run(JSON.stringify(settings), hashOf(token), now)
    return { id: Number(lastInsertRowid), ...settings, createdAt: now, token }
  }

  replace(id: number, settings: SandboxPluginSettings): void {
    this.#db.prepare('UPDATE plugins SET settings = ? WHERE id = ?').run(JSON.stringify(settings), id)
  }

  owner(token: string): Plugin | undefined {
    const row = this.#db
      .prepare('SELECT id, settings, created_at FROM plugins WHERE hash = ?')
      .get(hashOf(token))
    return row === undefined ? undefined : plugin(row)
  }

  remove(id: number): boolean {
    return this.#db.prepare('DELETE FROM plugins WHERE id = ?').run(id).changes > 0
  }
}

const plugin = (row: Readonly<Record<string, unknown>>): Plugin => ({
  id: Number(row.id),
  ...(JSON.parse(String(row.settings)) as SandboxPluginSettings),
  createdAt: Number(row.created_at),
})
