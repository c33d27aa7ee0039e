import { join } from 'node:path'
import { z } from 'zod'
import { AcuseError, messageOf } from '#contract/errors.ts'
import type { HostStatus } from '#contract/status.ts'
import { Listeners } from '#core/listeners.ts'
import type { Store } from '#core/ports.ts'
import { shown } from '#log/shared/database.ts'
import { SharedRules, type SharedRulesOptions } from '#log/shared/shared-rules.ts'
import { Tail } from '#log/shared/tail.ts'
import { readIfThere, writeAtomically } from './atomic-file.ts'

/** The shared log that a host follows. */
export interface FollowedLog {
  readonly url: string
  /** Name of this machine in the log's list of connections. */
  readonly name: string
  /** Opens the secrets of the log's endpoints. */
  readonly passphrase: string | undefined
  /** Where a first following begins: at the next delivery, or at a time in milliseconds since the epoch. */
  readonly from: 'newest' | number
}

export interface FollowerOptions extends Omit<FollowedLog, 'passphrase'> {
  readonly dataDir: string
  /** @param reason why the log cannot be followed; null when it can again */
  told(reason: string | null): void
  readonly store: Pick<Store, 'mirror' | 'mirroredUpTo' | 'coverage'>
  warn(sentence: string): void
}

export interface Followed extends Pick<SharedRules, 'settings' | 'secrets'> {
  state(): NonNullable<HostStatus['following']>
  onChange(listener: () => void): void
  /** Begins to copy deliveries. @throws as `Follower.start` */
  follow(store: FollowerOptions['store'], dataDir: string): Promise<void>
  close(): Promise<void>
}

/**
 * Opens a shared log to follow: its endpoints, and its deliveries. While the log cannot be reached, the endpoints are the default ones:
 * nothing is received here.
 */
export async function openFollowed(
  log: FollowedLog,
  own: SharedRulesOptions['own'],
  warn: (sentence: string) => void,
  changed: () => void,
): Promise<Followed> {
  const trouble = (reason: string | null) => {
    if (reason !== null) warn(`The endpoints of the shared log cannot be read: ${reason}`)
  }
  const rules = new SharedRules({ ...log, own, changed, trouble })
  await rules.open().catch((error: unknown) => trouble(messageOf(error)))
  const listeners = new Listeners()
  let reason: string | null = null
  let follower: Follower | undefined
  return {
    state: () => ({ log: shown(log.url), reason }),
    onChange: listeners.add,
    settings: rules.settings,
    secrets: rules.secrets,
    async follow(store, dataDir) {
      const told = (now: string | null) => {
        reason = now
        listeners.tell()
      }
      follower = await Follower.start({ ...log, store, dataDir, warn, told })
    },
    async close() {
      await follower?.close()
      rules.close()
    },
  }
}

/** File with the shared log that a data folder follows: its ids mean nothing in another log. */
const FILE = 'following.json'
const following = z.strictObject({ identity: z.string(), after: z.int() })

/** Records of one read. */
const LIMIT = 500
/** Pause after an empty read: the window's pace while records come, longer when none has come for a while. */
const BUSY_MS = 50
const QUIET_MS = 250
const QUIET_AFTER_MS = 10_000
const RETRY_MS = 1_000
/** How often the coverage is looked at. */
const COVERAGE_MS = 5_000

/** Copies the records of a shared log into the store of this machine, each exactly once. */
export class Follower {
  readonly #options: FollowerOptions
  readonly #tail: Tail
  /** The place at which this data folder began to follow. */
  readonly #begun: number
  #closed = false
  readonly #running: Promise<void>
  #reason: string | null = null

  private constructor(options: FollowerOptions, { identity, after }: z.output<typeof following>) {
    this.#options = options
    this.#begun = after
    this.#tail = new Tail(options.url, options.name, this.#after(), identity)
    this.#running = this.#run()
  }

  /** @throws AcuseError `conflict` when the folder has deliveries of its own; `store-failed` when a first following cannot begin */
  static async start(options: FollowerOptions): Promise<Follower> {
    const { url, name, dataDir, store } = options
    const file = join(dataDir, FILE)
    const content = await readIfThere(file)
    const known = content === undefined ? undefined : following.parse(JSON.parse(content))
    if (known) return new Follower(options, known)
    if (store.mirroredUpTo() > 0)
      throw new AcuseError(
        'conflict',
        'The data folder has deliveries of its own, whose ids would collide with those of the shared log. Say another folder with --data.',
      )
    const first = new Tail(url, name, 0)
    const begun = await first.begin(options.from).finally(() => first.close())
    await writeAtomically(file, `${JSON.stringify(begun)}\n`)
    return new Follower(options, begun)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#running
    this.#tail.close()
  }

  #after(): number {
    return Math.max(this.#begun, this.#options.store.mirroredUpTo())
  }

  async #run(): Promise<void> {
    for (let since = performance.now(), covered = Number.NEGATIVE_INFINITY; !this.#closed; ) {
      let wait = performance.now() - since > QUIET_AFTER_MS ? QUIET_MS : BUSY_MS
      try {
        const entries = await this.#tail.next(LIMIT)
        if (performance.now() - covered > COVERAGE_MS) {
          covered = performance.now()
          await this.#options.store.coverage.mirror(await this.#tail.coverage())
        }
        for (const { place } of entries.filter(({ whole }) => !whole))
          this.#options.warn(`Record ${place} of the shared log is not as it was stored, so it is left out.`)
        const whole = entries.filter((entry) => entry.whole)
        if (whole.length > 0)
          await this.#options.store.mirror(
            whole.map(({ place, kind, payload }) => ({ id: place, kind, payload })),
          )
        if (entries.length > 0) since = performance.now()
        if (entries.length === LIMIT) wait = 0
        this.#tell(null)
      } catch (error) {
        this.#tell(messageOf(error))
        this.#tail.rewind(this.#after())
        wait = RETRY_MS
      }
      if (!this.#closed) await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }

  #tell(reason: string | null): void {
    if (reason === this.#reason) return
    this.#reason = reason
    this.#options.told(reason)
  }
}
