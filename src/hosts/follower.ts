import { AcuseError, messageOf } from '#contract/errors.ts'
import { beginsAt } from '#contract/source.ts'
import type { HostStatus } from '#contract/status.ts'
import type { AlertsPorts } from '#core/alerts/alerts.ts'
import type { Leases } from '#core/lease.ts'
import { Listeners } from '#core/listeners.ts'
import type { TakenOver } from '#core/mirror.ts'
import type { Store } from '#core/ports.ts'
import { Contributions } from '#log/shared/contributions.ts'
import { reasonOf, shown } from '#log/shared/database.ts'
import { type Peer, SharedLeases } from '#log/shared/leases.ts'
import { SharedRules, type SharedRulesOptions } from '#log/shared/shared-rules.ts'
import { Tail } from '#log/shared/tail.ts'
import { isSynthetic, KIND } from '#storage/wire/record.ts'
import { type FollowedLog, type Following, readFollowing, URL_SECRET, writeFollowing } from './source.ts'

export interface FollowerOptions extends Omit<FollowedLog, 'passphrase'> {
  readonly dataDir: string
  /** @param reason why the log cannot be followed; null when it can again */
  told(reason: string | null): void
  /** Told from time to time whether a receiver listens. */
  covered(listening: boolean): void
  readonly store: Pick<
    Store,
    'lastId' | 'mirror' | 'mirroredUpTo' | 'takeOver' | 'coverage' | 'unsent' | 'onNotice'
  >
  readonly contributions: Contributions
  warn(sentence: string): void
}

export interface Followed extends Pick<SharedRules, 'settings' | 'secrets'> {
  /** Takes rebuilt events. */
  readonly log: Pick<Contributions, 'append'>
  /** Of alerts and scheduled sweeps. */
  readonly leases: Leases
  /** Whether a receiver of the shared log listens, for alerts. */
  readonly receivers: NonNullable<AlertsPorts['receiver']>
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
  log: FollowedLog & Peer,
  own: SharedRulesOptions['own'],
  warn: (sentence: string) => void,
  changed: () => void,
): Promise<Followed> {
  const trouble = (reason: string | null) => {
    if (reason !== null) warn(`The endpoints of the shared log cannot be read: ${reason}`)
  }
  const rules = new SharedRules({ ...log, own, changed, trouble })
  await rules.open().catch((error: unknown) => trouble(reasonOf(error)))
  const listeners = new Listeners()
  let reason: string | null = null
  let follower: Follower | undefined
  const contributions = new Contributions({
    ...log,
    annotation: KIND.annotation,
    reached: () => follower?.given ?? 0,
    mayAdd: (kind, payload) => kind === KIND.delivery && isSynthetic(payload),
  })
  let work: Pick<NonNullable<HostStatus['following']>, 'work' | 'workReason'> = { work: [], workReason: null }
  const leases = new SharedLeases({
    ...log,
    told(works, workReason) {
      const now = { work: works, workReason }
      if (JSON.stringify(now) === JSON.stringify(work)) return
      if (workReason !== null && workReason !== work.workReason) warn(`No automatic work here: ${workReason}`)
      work = now
      listeners.tell()
    },
  })
  let kept: Promise<void> | undefined
  /** For the next start, now that the log has answered and is the one that the folder follows. */
  const keep = async () => {
    if ((await own.secrets.get(URL_SECRET)) !== log.url) await own.secrets.set(URL_SECRET, log.url)
  }
  const turned = new Listeners<[Listening]>()
  let listening: Listening = { state: 'listening' }
  return {
    log: contributions,
    leases,
    receivers: { state: () => listening, onState: turned.add },
    state: () => ({ log: shown(log.url), reason, ...work }),
    onChange: listeners.add,
    settings: rules.settings,
    secrets: rules.secrets,
    async follow(store, dataDir) {
      const told = (now: string | null) => {
        reason = now
        listeners.tell()
      }
      const covered = (isListening: boolean) => {
        kept ??= keep().catch((error: unknown) => warn(messageOf(error)))
        const now: Listening = { state: isListening ? 'listening' : 'off' }
        if (now.state === listening.state) return
        listening = now
        turned.tell(now)
      }
      follower = await Follower.start({ ...log, store, dataDir, contributions, warn, told, covered })
    },
    async close() {
      await follower?.close()
      await kept
      contributions.close()
      await leases.close()
      rules.close()
    },
  }
}

type Listening = ReturnType<Followed['receivers']['state']>

/** Records of one read. */
const LIMIT = 500
/** Pause between reads: the window's pace while records come. When none has come for a while, receivers announce the next one. */
const BUSY_MS = 50
const QUIET_MS = 1_000
const QUIET_AFTER_MS = 10_000
const RETRY_MS = 1_000
/** How often the coverage is looked at. */
const COVERAGE_MS = 5_000
/** Annotations of one message. */
const SENT_AT_ONCE = 200
/** How often annotations are sent again that have not come back, as after a failover. */
const SEND_AGAIN_MS = 5_000

/** Copies the records of a shared log into the store of this machine, each exactly once. */
export class Follower {
  readonly #options: FollowerOptions
  readonly #tail: Tail
  /** The place at which this data folder began to follow. */
  readonly #begun: number
  /** The last record given to the store. */
  #given = 0
  /** Whether to read on from what the store has, because it has lost records that were given to it. */
  #again = true
  #closed = false
  readonly #running: Promise<void>
  #reason: string | null = null
  readonly #unmark: () => void
  #sending: Promise<void> | undefined
  #sendAt = 0
  #sendAllAt = 0
  /** The last annotation sent. */
  #sent = 0
  #unsendable: string | null = null

  private constructor(options: FollowerOptions, { identity, after }: Following) {
    this.#options = options
    this.#begun = after
    this.#tail = new Tail(options.url, options.name, after, identity)
    this.#running = this.#run()
    this.#unmark = options.store.onNotice((notice) => {
      if (notice.type === 'marked') this.#sendAt = 0
      if (notice.type === 'missed' || (notice.type === 'reset' && notice.reason === 'replaced'))
        this.#again = true
    })
  }

  /** @throws AcuseError `conflict` when the folder has deliveries of its own, or began elsewhere; `store-failed` when a first following cannot begin */
  static async start(options: FollowerOptions): Promise<Follower> {
    const { url, name, dataDir, store, from } = options
    const known = await readFollowing(dataDir)
    if (known && from !== undefined && from !== known.from)
      throw new AcuseError(
        'conflict',
        `The data folder ${dataDir} follows the shared log from ${known.from} on, and cannot begin again from ${from}. Leave out --from to go on where it was, or say another folder with --data.`,
      )
    if (known) return new Follower(options, known)
    if (store.lastId() > 0)
      throw new AcuseError(
        'conflict',
        'The data folder has deliveries of its own, whose ids would collide with those of the shared log. Say another folder with --data.',
      )
    const first = new Tail(url, name, 0)
    const begins = from ?? 'newest'
    const begun = { ...(await first.begin(beginsAt(begins)).finally(() => first.close())), from: begins }
    await writeFollowing(dataDir, begun)
    return new Follower(options, begun)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#unmark()
    this.#tail.wake()
    // A read over a slow network would take minutes.
    this.#tail.close()
    await this.#running
    await this.#sending
    this.#tail.close()
  }

  get given(): number {
    return this.#given
  }

  /** Reads on from what the store has filed. For a fresh database, that is from where this folder began to follow. */
  async #begin(): Promise<void> {
    const { store, warn } = this.#options
    const own = await store.takeOver()
    this.#again = false
    if (own)
      warn(`captured.db was lost, so its deliveries are copied again from the shared log. ${foundIn(own)}`)
    this.#given = store.mirroredUpTo()
    this.#rewind()
  }

  #rewind(): void {
    this.#tail.rewind(Math.max(this.#begun, this.#given))
  }

  async #run(): Promise<void> {
    for (let since = performance.now(), covered = Number.NEGATIVE_INFINITY; !this.#closed; ) {
      if (performance.now() >= this.#sendAt) this.#sending ??= this.#send()
      let wait = performance.now() - since > QUIET_AFTER_MS ? QUIET_MS : BUSY_MS
      try {
        if (this.#again) await this.#begin()
        const entries = await this.#tail.next(LIMIT)
        if (this.#tail.lacks())
          this.#options.warn(
            'The shared log has dropped days that were not copied here yet, so their deliveries are missing here.',
          )
        if (performance.now() - covered > COVERAGE_MS) {
          covered = performance.now()
          const { spans, listening } = await this.#tail.coverage()
          this.#options.covered(listening)
          await this.#options.store.coverage.mirror(spans)
        }
        for (const { place } of entries.filter(({ whole }) => !whole))
          this.#options.warn(`Record ${place} of the shared log is not as it was stored, so it is left out.`)
        const whole = entries.filter((entry) => entry.whole)
        if (whole.length > 0)
          await this.#options.store.mirror(
            whole.map(({ place, kind, payload }) => ({ id: place, kind, payload })),
            this.#given,
          )
        this.#given = whole.at(-1)?.place ?? this.#given
        if (entries.length > 0) since = performance.now()
        if (this.#tail.more) wait = 0
        this.#tell(null)
      } catch (error) {
        if (this.#closed) return
        this.#tell(reasonOf(error))
        this.#rewind()
        wait = RETRY_MS
      }
      if (this.#closed) return
      if (wait < QUIET_MS) await new Promise((resolve) => setTimeout(resolve, wait))
      else if (await this.#tail.announced(wait)) since = performance.now()
    }
  }

  /** Sends own annotations. They stay unsent until the log brings them back, since only then no failover loses them. */
  async #send(): Promise<void> {
    const { store, contributions, warn } = this.#options
    this.#sendAt = Number.POSITIVE_INFINITY
    try {
      if (performance.now() >= this.#sendAllAt) {
        this.#sent = 0
        this.#sendAllAt = performance.now() + SEND_AGAIN_MS
      }
      for (;;) {
        const batch = await store.unsent(this.#sent, SENT_AT_ONCE)
        if (batch.length > 0) await contributions.annotate(batch)
        this.#sent = batch.at(-1)?.id ?? this.#sent
        if (batch.length < SENT_AT_ONCE) break
      }
      if (this.#sent > 0) this.#sendAt = Math.min(this.#sendAt, this.#sendAllAt)
      this.#unsendable = null
    } catch (error) {
      const reason = reasonOf(error)
      if (reason !== this.#unsendable)
        warn(`Notes, tags and pins wait on this machine until the shared log takes them: ${reason}`)
      this.#unsendable = reason
      this.#sent = 0
      this.#sendAt = performance.now() + SEND_AGAIN_MS
    } finally {
      this.#sending = undefined
    }
  }

  #tell(reason: string | null): void {
    if (reason === this.#reason) return
    this.#reason = reason
    this.#options.told(reason)
  }
}

/** A sentence about what only this machine knew. */
function foundIn({ unsent, trashed, reason }: TakenOver): string {
  if (reason !== null)
    return `The trash, and notes, tags and pins that had not been sent yet, cannot be read, so they are lost: ${reason}.`
  return `Taken over from the old file: ${trashed} deliveries of the trash, and ${unsent} changes of notes, tags and pins that had not been sent yet.`
}
