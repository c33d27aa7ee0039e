import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { SandboxPluginSettings } from '#contract/sandbox.ts'

/** Makes a token of 192 random bits: enough that a plain hash protects the stored form. */
export const newToken = (prefix: string): string => `${prefix}_${randomBytes(24).toString('base64url')}`

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Compares in constant time: the duration reveals neither the first difference nor the length. */
export const sameToken = (given: string, expected: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(expected).digest())

export const bearer = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]

/** Name of the key and the plugin that the ready line prints; each start replaces both. */
export const OWN_NAME = 'Acuse'

/** An API key without its secret, which only the issuing call returns. */
type ApiKey = { readonly id: number; readonly name: string; readonly createdAt: number }

export interface Plugin extends SandboxPluginSettings {
  readonly id: number
  readonly createdAt: number
}

export const apiKeys = (db: DatabaseSync) => ({
  list: () =>
    db
      .prepare('SELECT id, name, created_at AS createdAt FROM keys ORDER BY id')
      .all()
      .map((row) => ({ ...row }) as ApiKey),
  /** @param key an existing key to accept again; default: a new one @returns the entry with the key, which is not stored */
  issue: (name: string, now: number, key = newToken('key')): ApiKey & { readonly key: string } => {
    db.prepare('DELETE FROM keys WHERE hash = ?').run(hashOf(key))
    const issued = db.prepare('INSERT INTO keys (name, hash, created_at) VALUES (?, ?, ?)')
    const { lastInsertRowid } = issued.run(name, hashOf(key), now)
    return { id: Number(lastInsertRowid), name, createdAt: now, key }
  },
  accepts: (key: string) => db.prepare('SELECT 1 FROM keys WHERE hash = ?').get(hashOf(key)) !== undefined,
  revoke: (id: number) => db.prepare('DELETE FROM keys WHERE id = ?').run(id).changes > 0,
  revokeNamed: (name: string): void => {
    db.prepare('DELETE FROM keys WHERE name = ?').run(name)
  },
})
export type ApiKeys = ReturnType<typeof apiKeys>

const PLUGINS = 'SELECT id, settings, created_at FROM plugins'

export function installedPlugins(db: DatabaseSync) {
  const list = (): readonly Plugin[] => db.prepare(`${PLUGINS} ORDER BY id`).all().map(plugin)
  return {
    list,
    get: (id: number) => list().find((one) => one.id === id),
    /** @param token an existing token to accept again; default: a new one @returns the plugin with the token, which is not stored */
    install: (settings: SandboxPluginSettings, now: number, token = newToken('plugin')) => {
      db.prepare('DELETE FROM plugins WHERE hash = ?').run(hashOf(token))
      const installed = db.prepare('INSERT INTO plugins (settings, hash, created_at) VALUES (?, ?, ?)')
      const { lastInsertRowid } = installed.run(JSON.stringify(settings), hashOf(token), now)
      return { id: Number(lastInsertRowid), ...settings, createdAt: now, token }
    },
    replace: (id: number, settings: SandboxPluginSettings): void => {
      db.prepare('UPDATE plugins SET settings = ? WHERE id = ?').run(JSON.stringify(settings), id)
    },
    owner: (token: string): Plugin | undefined => {
      const row = db.prepare(`${PLUGINS} WHERE hash = ?`).get(hashOf(token))
      return row && plugin(row)
    },
    remove: (id: number) => db.prepare('DELETE FROM plugins WHERE id = ?').run(id).changes > 0,
  }
}
export type Plugins = ReturnType<typeof installedPlugins>

const plugin = (row: Readonly<Record<string, unknown>>): Plugin => ({
  id: Number(row.id),
  ...(JSON.parse(String(row.settings)) as SandboxPluginSettings),
  createdAt: Number(row.created_at),
})
