import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { AcuseError } from '#contract/errors.ts'
import { type Settings, settings } from '#contract/settings.ts'
import type { Secrets, SettingsStore } from '#core/ports.ts'
import { ANSWER_MS, Connection, connectPrimary, reasonOf } from './database.ts'
import { demandSchema } from './schema.ts'

/** How often changes made elsewhere are looked for. */
const LOOK_MS = 1_000
/** Changes of others that may come between a read and its write. */
const TRIES = 10

const rulesIn = settings.pick({ endpoints: true, formerSecretHeaders: true })

interface Rules {
  readonly version: number
  readonly kept: Pick<Settings, 'endpoints' | 'formerSecretHeaders'>
  readonly secrets: ReadonlyMap<string, string>
}

export interface SharedRulesOptions {
  readonly url: string
  /** The connection's name. */
  readonly name: string
  /** Opens and seals the secrets. */
  readonly passphrase: string | undefined
  /** Settings and secrets besides those of the endpoints. */
  readonly own: { readonly settings: SettingsStore; readonly secrets: Secrets }
  /** Another program changed the rules. */
  changed(): void
  /** @param reason why they cannot be read; null when they can again */
  trouble(reason: string | null): void
}

/** Endpoints and their secrets in the shared log, so that all its receivers accept and answer alike. */
export class SharedRules {
  readonly settings: SettingsStore
  readonly secrets: Secrets
  readonly #options: SharedRulesOptions
  readonly #connection: Connection
  #rules: Rules = { version: 0, kept: { endpoints: DEFAULT_SETTINGS.endpoints }, secrets: new Map() }
  #timer: NodeJS.Timeout | undefined
  #closed = false
  #reason: string | null = null

  constructor(options: SharedRulesOptions) {
    this.#options = options
    const { own, url, name } = options
    this.#connection = new Connection(() => connectPrimary(url, name, ANSWER_MS, demandSchema))
    const get = (): Settings => ({ ...own.settings.get(), ...this.#rules.kept })
    this.settings = {
      get,
      change: async (change) => {
        const before = get()
        const after = change(before)
        await own.settings.change((present) => ({ ...after, ...keptOf(present) }))
        if (JSON.stringify(keptOf(after)) !== JSON.stringify(keptOf(before)))
          await this.#change((rules) => ({ ...rules, kept: keptOf(change({ ...after, ...rules.kept })) }))
        return get()
      },
    }
    const isShared = (key: string): boolean => key.startsWith('endpoint:')
    this.secrets = {
      get: async (key) => (isShared(key) ? this.#rules.secrets.get(key) : own.secrets.get(key)),
      set: (key, value) =>
        isShared(key)
          ? this.#change((rules) => {
              const secrets = new Map(rules.secrets)
              if (value === undefined) secrets.delete(key)
              else secrets.set(key, value)
              return { ...rules, secrets }
            })
          : own.secrets.set(key, value),
    }
  }

  /** @throws AcuseError when the rules cannot be read: without the secrets everybody could send */
  async open(): Promise<void> {
    this.#lookLater()
    await this.#load()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#connection.close()
  }

  #lookLater(): void {
    if (!this.#closed) this.#timer = setTimeout(() => void this.#look(), LOOK_MS).unref()
  }

  async #look(): Promise<void> {
    const { version } = this.#rules
    try {
      await this.#load()
      if (this.#rules.version !== version) this.#options.changed()
      this.#tell(null)
    } catch (error) {
      this.#tell(reasonOf(error))
    }
    this.#lookLater()
  }

  #tell(reason: string | null): void {
    if (reason !== this.#reason) this.#options.trouble(reason)
    this.#reason = reason
  }

  async #load(): Promise<void> {
    const client = await this.#connection.client()
    try {
      const { rows } = await client.query(
        'SELECT version, endpoints, former_secret_headers, sealed FROM acuse.rules WHERE version <> $1',
        [this.#rules.version],
      )
      const [row] = rows
      if (!row) return
      const kept = rulesIn.parse({ endpoints: row.endpoints, formerSecretHeaders: row.former_secret_headers })
      this.#rules = {
        version: Number(row.version),
        kept,
        secrets: opened(row.sealed, this.#options.passphrase),
      }
    } catch (error) {
      this.#connection.close()
      throw error
    }
  }

  async #change(change: (rules: Rules) => Rules): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      await this.#load()
      const { version } = this.#rules
      const next = { ...change(this.#rules), version: version + 1 }
      const { kept, secrets } = next
      const values = [
        next.version,
        JSON.stringify(kept.endpoints),
        JSON.stringify(kept.formerSecretHeaders ?? []),
        sealed(secrets, this.#options.passphrase),
      ]
      const client = await this.#connection.client()
      const { rowCount } = await client.query(
        `INSERT INTO acuse.rules (version, endpoints, former_secret_headers, sealed) VALUES ($1, $2, $3, $4)
          ON CONFLICT (single) DO UPDATE SET version = $1, endpoints = $2, former_secret_headers = $3, sealed = $4
          WHERE acuse.rules.version = $1 - 1`,
        values,
      )
      if (rowCount === 1) {
        this.#rules = next
        return
      }
    }
    throw new AcuseError(
      'conflict',
      'Others change the endpoints of the shared log at the same time. Try again.',
    )
  }
}

const keptOf = ({ endpoints, formerSecretHeaders = [] }: Settings): Rules['kept'] => ({
  endpoints,
  formerSecretHeaders,
})

const SALT_BYTES = 16
const IV_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'
const KEY_MISSING =
  'The endpoints of the shared log have secrets. Set ACUSE_LOG_KEY to the passphrase that seals them; all receivers share it.'

/** The secrets, readable only with the passphrase; empty without any. */
function sealed(secrets: ReadonlyMap<string, string>, passphrase: string | undefined): Buffer {
  if (secrets.size === 0) return Buffer.alloc(0)
  if (!passphrase) throw new AcuseError('not-available', KEY_MISSING)
  const salt = randomBytes(SALT_BYTES)
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, keyOf(passphrase, salt), iv)
  const text = Buffer.concat([
    cipher.update(JSON.stringify(Object.fromEntries(secrets)), 'utf8'),
    cipher.final(),
  ])
  return Buffer.concat([salt, iv, cipher.getAuthTag(), text])
}

function opened(bytes: Buffer, passphrase: string | undefined): ReadonlyMap<string, string> {
  if (bytes.byteLength === 0) return new Map()
  if (!passphrase) throw new AcuseError('not-available', KEY_MISSING)
  const [iv, tag, text] = [SALT_BYTES, SALT_BYTES + IV_BYTES, SALT_BYTES + IV_BYTES + TAG_BYTES]
  try {
    const decipher = createDecipheriv(
      CIPHER,
      keyOf(passphrase, bytes.subarray(0, iv)),
      bytes.subarray(iv, tag),
    )
    decipher.setAuthTag(bytes.subarray(tag, text))
    const plain = Buffer.concat([decipher.update(bytes.subarray(text)), decipher.final()])
    return new Map(Object.entries(JSON.parse(plain.toString('utf8'))))
  } catch {
    throw new AcuseError(
      'not-available',
      'ACUSE_LOG_KEY is not the passphrase that seals the secrets of the shared log.',
    )
  }
}

const keyOf = (passphrase: string, salt: Buffer): Buffer => scryptSync(passphrase, salt, 32)
