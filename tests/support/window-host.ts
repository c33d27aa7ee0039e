import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { CommandName, Params, Result } from '#contract/commands.ts'
import type { DeliveryRow } from '#contract/delivery.ts'
import type { CoverageState, HostStatus } from '#contract/status.ts'
import type { Engine } from '#core/engine/engine.ts'
import type { NewDelivery } from '#core/ports.ts'
import { type BrowserHost, createBrowserHost } from '#hosts/browser/server.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { openForWriting, Statements } from '#storage/sql/connection.ts'
import { enterState } from '#storage/writer/coverage.ts'
import { ApiWrapper } from './api-wrapper.ts'
import { type Assembled, assembled } from './assembled.ts'
import { sampleBody, sampleDelivery } from './sample-deliveries.ts'
import { openTestStore } from './store.ts'
import { until } from './until.ts'

/** Content of a host at the beginning of a test. */
export interface Seed {
  /** Number of sample deliveries; `seed` is that of the generator. */
  readonly count?: number
  readonly seed?: number
  /** Milliseconds between two deliveries; the last one arrives when the seed is made. */
  readonly gapMs?: number
  /** Changes of the receiver's state, in minutes ago; default: listening all the time. */
  readonly coverage?: readonly { readonly state: CoverageState; readonly minutesAgo: number }[]
  /** Deliveries after the samples; `name` is part of the cache key. */
  readonly more?: { readonly name: string; deliveries(): readonly NewDelivery[] }
  /** Further preparation of the host; `name` is part of the key under which the seed is cached. */
  readonly lived?: { readonly name: string; live(host: Assembled): Promise<void> }
}

/** Commands that change nothing: after only these, the next test can use the same host. */
const READS =
  /^(?:app\.info|ui\.link|filter\.counts|connect\.state|retention\.preview|deliveries\.(?:at|body|copy|locate)|\w+\.(?:get|list|page|scan|summary|rows|preview|document|profile|events|deliveries|compare|report|attempts|status))$/

const AT_ONCE = 20

/** Passes calls to the present engine: the browser host and the window's session outlive the engines of single tests. */
class PresentEngine implements Engine {
  present: Engine | undefined
  readonly call: Engine['call'] = (command, params) => this.#engine.call(command, params)
  readonly dispatch: Engine['dispatch'] = (command, params) => this.#engine.dispatch(command, params)
  readonly subscribe: Engine['subscribe'] = (listener) => this.#engine.subscribe(listener)
  close(): void {}

  get #engine(): Engine {
    if (!this.present) throw new Error('no host is open')
    return this.present
  }
}

/**
 * A whole host for the windows of one worker, with its browser host behind a wrapper. It is reset between tests: a host that
 * a test has changed is replaced by one on a copy of the seed; an unchanged host stays.
 */
export class WindowHost {
  readonly api: ApiWrapper
  readonly #engine: PresentEngine
  readonly #browser: BrowserHost
  readonly #folder = mkdtempSync(join(tmpdir(), 'acuse-window-host-'))
  readonly #seeds = new Map<string, string>()
  #origin = ''
  #host: Assembled | undefined
  #seed: Seed = {}
  #held = ''
  #changed = false
  #copies = 0
  #sent = 0
  #closing: Promise<void> = Promise.resolve()

  private constructor(engine: PresentEngine, browser: BrowserHost, port: number) {
    this.#engine = engine
    this.#browser = browser
    this.api = new ApiWrapper(engine, port)
  }

  static async start(): Promise<WindowHost> {
    const engine = new PresentEngine()
    const rendererDir = resolve(import.meta.dirname, '../../out/renderer')
    const browser = createBrowserHost({ engine, rendererDir, port: 0 })
    const { port } = await browser.start()
    const host = new WindowHost(engine, browser, port)
    host.#origin = await host.api.start()
    return host
  }

  async close(): Promise<void> {
    this.api.close()
    await this.#browser.close()
    await this.#host?.close()
    await this.#closing
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Prepares a host with exactly the seed's content. @returns a link that opens a window on it */
  async open(seed: Seed, appearance: Params<'settings.update'>['appearance']): Promise<string> {
    const key = keyOf(seed)
    const written = this.api.calls.some(({ command }) => !READS.test(command))
    if (!this.#host || key !== this.#held || this.#changed || written) await this.#replace(seed, key)
    this.api.reset()
    this.#sent = 0
    await this.#engine.call('settings.update', {
      appearance: { theme: 'system', language: 'system', ...appearance },
    })
    return this.#browser.link().replace(/^http:\/\/[^/]+/, this.#origin)
  }

  get receiverUrl(): string {
    return this.#host?.receiverUrl ?? ''
  }

  get origin(): string {
    return this.#origin
  }

  call<C extends CommandName>(command: C, params: Params<C>): Promise<Result<C>> {
    if (!READS.test(command)) this.#changed = true
    return this.#engine.call(command, params)
  }

  /** Sends sample deliveries to the receiver, several at a time. */
  async arrive(count: number): Promise<void> {
    for (let left = count; left > 0; left -= AT_ONCE) {
      const bodies = Array.from({ length: Math.min(left, AT_ONCE) }, () => {
        this.#sent += 1
        return sampleBody(this.#seed.seed ?? 7, (this.#seed.count ?? 0) + this.#sent - 1, Date.now())
      })
      await Promise.all(bodies.map((body) => this.deliver(body)))
    }
  }

  /** @returns the status of the answer */
  async deliver(
    body: string | Uint8Array<ArrayBuffer>,
    init: RequestInit & { path?: string } = {},
  ): Promise<number> {
    this.#changed = true
    const { path = '', ...rest } = init
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(`${this.receiverUrl}${path}`, { method: 'POST', headers, body, ...rest })
    await response.arrayBuffer()
    return response.status
  }

  async row(id: number): Promise<DeliveryRow> {
    const { rows } = await this.call('deliveries.rows', { ids: [id] })
    const [row] = rows
    if (!row) throw new Error(`there is no delivery ${id}`)
    return row
  }

  /** Resolves once all deliveries are filed and analysed. */
  async settled(): Promise<void> {
    await until(async () => {
      const { unfiled, unjudged } = (await this.call('status.get', {})).counts
      return unfiled + unjudged === 0
    })
  }

  /** Makes the window see another state of its host. */
  async status(change: Partial<HostStatus>): Promise<void> {
    this.api.statusChange = change
    this.api.alter('status.get', change)
    this.api.push('status.changed', await this.call('status.get', {}))
  }

  /** Loses one push; the next one's number shows the gap, and the window reloads all data. */
  async losePush(): Promise<void> {
    const status = await this.call('status.get', {})
    this.api.push('status.changed', status)
    this.api.losesPushes = true
    this.api.push('status.changed', status)
    this.api.losesPushes = false
    this.api.push('status.changed', status)
  }

  async #replace(seed: Seed, key: string): Promise<void> {
    const folder = await this.#make(seed)
    const before = this.#host
    this.#copies += 1
    const dataDir = join(this.#folder, `data-${this.#copies}`)
    cpSync(folder, dataDir, { recursive: true })
    this.#host = await assembled({ dataDir })
    this.#engine.present = this.#host.host.engine
    await this.settled()
    this.#seed = seed
    this.#held = key
    this.#changed = false
    // Only the next close waits for this one.
    await this.#closing
    this.#closing = (before?.close() ?? Promise.resolve()).catch(() => {})
  }

  /** @returns a data folder with the seed's content */
  async #make(seed: Seed): Promise<string> {
    const { lived, ...plain } = seed
    const key = keyOf(seed)
    const folder = this.#seeds.get(key) ?? join(this.#folder, `seed-${this.#seeds.size}`)
    if (this.#seeds.has(key)) return folder
    this.#seeds.set(key, folder)
    if (!lived) {
      await plant(folder, plain)
      return folder
    }
    cpSync(await this.#make(plain), folder, { recursive: true })
    const present = await assembled({ dataDir: folder })
    await lived.live(present)
    await present.host.close()
    return folder
  }
}

const keyOf = ({ lived, more, ...plain }: Seed): string =>
  JSON.stringify({ ...plain, lived: lived?.name, more: more?.name })

async function plant(
  folder: string,
  { count = 0, seed = 7, gapMs = 700, coverage, more }: Seed,
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const start = Date.now() - count * gapMs
  {
    await using opened = await openTestStore(folder)
    const { capture, deliveries } = opened.store
    const samples = Array.from({ length: count }, (_, index) =>
      sampleDelivery(seed, index, start + index * gapMs, gapMs),
    )
    const kept = [...samples, ...(more?.deliveries() ?? [])].map(async (delivery, index) => {
      const { id } = await capture.append(delivery)
      if (id !== null && delivery.answer) capture.answered(id, 900 + (index % 90) * 1_000)
    })
    await Promise.all(kept)
    const left = await deliveries.settled(60_000)
    if (left > 0) throw new Error(`${left} of ${count} deliveries were not analysed in time`)
  }
  const db = openForWriting(storeFiles(folder).captured, 500)
  const statements = new Statements(db)
  db.exec('DELETE FROM coverage')
  const past = coverage ?? [{ state: 'listening' as const, minutesAgo: 60 * 24 * 60 }]
  for (const { state, minutesAgo } of past) enterState(statements, state, Date.now() - minutesAgo * 60_000)
  enterState(statements, 'listening', Date.now())
  db.close()
}
