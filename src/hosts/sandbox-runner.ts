import type { Params, Result } from '#contract/commands.ts'
import { AcuseError, messageOf, refused } from '#contract/errors.ts'
import type { SandboxStatus } from '#contract/sandbox.ts'
import type { SandboxCallName } from '#contract/sandbox-commands.ts'
import type { SandboxControl } from '#core/ports.ts'
import { callSandbox } from '#outbound/sandbox-client.ts'
import { inTurn } from './atomic-file.ts'
import { recallSandbox, rememberSandbox, type SandboxMemory } from './memories.ts'
import { type ReceiverAddress, subscribeReceiver } from './receiver-subscription.ts'
import type { SandboxHost } from './sandbox-host.ts'
import { runningSandbox, SANDBOX_PORT, type SandboxReady } from './sandbox-word.ts'

export interface SandboxRunnerOptions {
  readonly folder: string
  /** @returns the receiver's address and secret; null while the receiver does not listen */
  receiver(): ReceiverAddress | null
  /** Called when the sandbox's address has changed, so that connections to the old address can follow. */
  moved(from: string, to: string): Promise<void>
  warn(message: string): void
}

/** Ports tried from the wanted one upwards; after them any free one. */
const PORTS_TRIED = 10
const SEED = 1
const NOT_MOVED = 'The connections to the sandbox keep its address of before'

/** Runs the data folder's sandbox in this process, and reaches it, or one that another process runs there, over HTTP only. */
export class SandboxRunner implements SandboxControl {
  readonly #options: SandboxRunnerOptions
  #host: SandboxHost | undefined
  readonly #inTurn = inTurn()
  #closed = false
  /** The last address that this process has reported. */
  #told: string | undefined

  constructor(options: SandboxRunnerOptions) {
    this.#options = options
  }

  async status(): Promise<SandboxStatus> {
    const ready = await this.#reached()
    return ready ? { running: true, url: ready.sandbox } : { running: false }
  }

  /** Starts the sandbox and saves that it runs, so that it starts with the next host too. */
  start(port?: number): Promise<SandboxStatus> {
    return this.#inTurn(async () => {
      if (!(await this.#reached())) {
        await this.#open(port ?? SANDBOX_PORT, false)
        await this.#remember({ running: true, port: port ?? null })
      }
      return this.status()
    })
  }

  stop(): Promise<SandboxStatus> {
    return this.#inTurn(async () => {
      const other = this.#host ? undefined : await this.#reached()
      if (other) throw refused('conflict', 'sandbox-elsewhere', { url: other.sandbox })
      await this.#shut()
      await this.#remember({ running: false })
      return this.status()
    })
  }

  async call<C extends SandboxCallName>(command: C, params: Params<C>): Promise<Result<C>> {
    const ready = await this.#reached()
    if (!ready) throw refused('not-available', 'sandbox-off')
    return callSandbox({ url: ready.sandbox, adminToken: ready.admin }, command, params)
  }

  /** Starts the sandbox for this run only, and restores the receiver's subscription even if a user removed it. @throws AcuseError `in-use` */
  startForThisRun(port: number): Promise<SandboxReady> {
    return this.#inTurn(() => this.#open(port, true))
  }

  resume(): Promise<void> {
    return this.#inTurn(async () => {
      const { running, port } = await recallSandbox(this.#options.folder)
      if ((await this.#reached()) || !running) return
      await this.#open(port ?? SANDBOX_PORT, false)
    }).catch(this.#saying('The sandbox could not be started again'))
  }

  follow(): void {
    if (!this.#host) return
    const done = this.#inTurn(() => this.#subscribe(false))
    void done.catch(this.#saying('The sandbox could not be told of the receiver'))
  }

  /** Ends this process's sandbox without changing its saved state. Never rejects, so that the host closes its other parts too. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      this.#closed = true
      await this.#shut()
    }).catch(this.#saying('The sandbox did not end as it should'))
  }

  async #open(port: number, demanded: boolean): Promise<SandboxReady> {
    if (this.#closed) throw refused('not-available', 'closing')
    const host = await this.#startOn(port)
    this.#host = host
    await this.#subscribe(demanded).catch(this.#saying('The receiver is not subscribed to the sandbox'))
    await this.#tellMoved(host.ready.sandbox).catch(this.#saying(NOT_MOVED))
    return host.ready
  }

  async #tellMoved(url: string): Promise<void> {
    this.#told = url
    const { url: before } = await recallSandbox(this.#options.folder)
    if (before === url) return
    if (before !== null) await this.#options.moved(before, url)
    // Saved last, so that the next start repeats a failed move.
    await this.#remember({ url })
  }

  async #startOn(port: number): Promise<SandboxHost> {
    const { folder, warn } = this.#options
    // Imported here, since a host without a sandbox does not need it.
    const { startSandboxHost } = await import('./sandbox-host.ts')
    for (const candidate of portsFrom(port)) {
      try {
        const host = await startSandboxHost({ folder, port: candidate, seed: SEED, warn })
        if (candidate !== port) warn(`Port ${port} is taken, so the sandbox is on ${host.ready.sandbox}.`)
        return host
      } catch (error) {
        // Retry only for a taken port: a second sandbox on this folder fails on every port.
        const taken = error instanceof AcuseError && error.details.port !== undefined
        if (!taken || candidate === 0) throw error
      }
    }
    throw refused('in-use', 'no-free-port')
  }

  async #subscribe(demanded: boolean): Promise<void> {
    const receiver = this.#options.receiver()
    if (!this.#host) return
    if (!receiver) {
      if (demanded)
        this.#options.warn('The receiver does not listen, so the sandbox is not subscribed to it.')
      return
    }
    const { sandbox: url, admin: adminToken } = this.#host.ready
    const { subscription } = await recallSandbox(this.#options.folder)
    const next = await subscribeReceiver({ url, adminToken }, receiver, subscription, demanded)
    await this.#remember({ subscription: next })
  }

  async #shut(): Promise<void> {
    const host = this.#host
    this.#host = undefined
    await host?.close()
  }

  async #reached(): Promise<SandboxReady | undefined> {
    if (this.#host) return this.#host.ready
    const elsewhere = await runningSandbox(this.#options.folder)
    if (elsewhere) this.#met(elsewhere.sandbox)
    return elsewhere
  }

  /** Records the address of another process's sandbox, which may have changed its port unnoticed. */
  #met(url: string): void {
    if (url === this.#told) return
    this.#told = url
    void this.#inTurn(async () => {
      if (!this.#closed) await this.#tellMoved(url)
    }).catch(this.#saying(NOT_MOVED))
  }

  async #remember(change: Partial<SandboxMemory>): Promise<void> {
    const { folder } = this.#options
    const before = await recallSandbox(folder)
    await rememberSandbox(folder, { ...before, ...change })
  }

  readonly #saying = (what: string) => (error: unknown) => this.#options.warn(`${what}: ${messageOf(error)}`)
}

function portsFrom(port: number): readonly number[] {
  if (port === 0) return [0]
  const near = Array.from({ length: PORTS_TRIED }, (_, i) => port + i).filter((one) => one <= 65_535)
  return [...near, 0]
}
