/** The package for test suites: the receiver and the sandbox in this process, without window and Electron (docs/reference/library.md). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Group, KINDS, type Kind } from '#catalog/kinds.ts'
import type { SANDBOX_OUTCOMES } from '#contract/values.ts'
import { type ValidatedFinding, validateBytes } from '#core/checks/validate.ts'
import { waitForDeliveries } from '#core/engine/wait-for.ts'
import { eventRecord } from '#interop/records.ts'
import { callSandbox } from '#outbound/sandbox-client.ts'
import { createSandbox } from '#sandbox/sandbox.ts'
import { defined } from '../cli/shared/command.ts'
import { checkedCall, hostHere } from '../cli/shared/here.ts'

/** A delivery, with the keys of `acuse events --json`. */
export type Delivery = ReturnType<typeof eventRecord>

/** The 28 kinds of event, with their groups and when the service emits them. */
export const kinds: readonly { readonly kind: Kind; readonly group: Group; readonly emittedWhen: string }[] =
  KINDS.map(({ kind, group, emittedWhen }) => ({ kind, group, emittedWhen: emittedWhen.en }))

export interface Validation {
  /** `invalid` and `unreadable` mean that the event breaks a rule. */
  readonly verdict: ReturnType<typeof validateBytes>['verdict']
  readonly findings: readonly ValidatedFinding[]
}

/** Checks a body against the 28 kinds, as `acuse validate` does. @param body text or bytes as sent, or a value to write as JSON */
export function validateEvent(body: string | Uint8Array | object): Validation {
  const bytes =
    body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return validateBytes(bytes)
}

export interface ReceiverOptions {
  /** Default: a free one. */
  readonly port?: number
  /** Folder of the data, which stays; default: a temporary one, which `close` removes. */
  readonly data?: string
  /** Address of your handler: each delivery goes on to it, and `attempt:ok` in a filter means that it accepted. */
  readonly forwardTo?: string
  /** Called with warnings; default: they are dropped. */
  readonly warn?: (sentence: string) => void
}

export interface Receiver {
  /** Address to which the service or the sandbox sends. */
  readonly url: string
  /** The data folder, which the command line opens with `--data` meanwhile. */
  readonly data: string
  /** Stored deliveries that the filter selects, the oldest first; analysed ones only. */
  deliveries(filter?: string): Promise<readonly Delivery[]>
  /** Body of a delivery, byte for byte as received. */
  body(id: number): Promise<Uint8Array>
  /** As `waitFor(receiver, filter, options)`. */
  waitFor(filter: string, options?: WaitOptions): Promise<readonly Delivery[]>
  close(): Promise<void>
}

export interface WaitOptions {
  /** How many deliveries must match; default 1. */
  readonly count?: number
  /** Default 30,000. */
  readonly timeoutMs?: number
  /** Only deliveries after this id, or `now`: only those from now on. Default: all stored ones count. */
  readonly since?: number | 'now'
}

/** The wait ended before enough deliveries matched. */
export class WaitTimeout extends Error {
  /** Deliveries that matched. */
  readonly matched: readonly Delivery[]
  /** Deliveries that arrived instead. */
  readonly instead: readonly Delivery[]
  constructor(message: string, matched: readonly Delivery[], instead: readonly Delivery[]) {
    super(message)
    this.name = 'WaitTimeout'
    this.matched = matched
    this.instead = instead
  }
}

/** Deliveries read at once, the limit of `deliveries.scan`. */
const PAGE = 1_000
/** Bytes of a body read at once. */
const PIECE = 8_388_608

/** Starts the receiver. @throws Error when the port cannot be used */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { port = 0, forwardTo, warn = () => {} } = options
  const parent = options.data === undefined ? mkdtempSync(join(tmpdir(), 'acuse-')) : undefined
  const data = options.data ?? join(parent ?? '', 'data')
  const removeOwn = () => {
    if (parent !== undefined) rmSync(parent, { recursive: true, force: true })
  }
  const host = await hostHere(data, { say: warn }, { receiver: { enabled: true, port } }).catch((error) => {
    removeOwn()
    throw error
  })
  const call = checkedCall(host.engine)
  const close = async () => {
    await host.close()
    removeOwn()
  }
  const { receiver } = await call('status.get', {})
  if (receiver.state !== 'listening') {
    await close()
    throw new Error(`The receiver cannot listen on port ${port}.`)
  }
  try {
    if (forwardTo !== undefined) await call('forwards.save', { ...FORWARD, targets: [forwardTo] })
  } catch (error) {
    await close()
    throw error
  }

  async function deliveries(filter = '', after = 0): Promise<readonly Delivery[]> {
    await call('deliveries.settled', { timeoutMs: 10_000 })
    const found: Delivery[] = []
    for (let from = after; ; ) {
      const { rows } = await call('deliveries.scan', { filter, after: from, limit: PAGE })
      found.push(...rows.map(eventRecord))
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) return found
      from = last.id
    }
  }

  async function wait(filter: string, { count = 1, timeoutMs = 30_000, since = 0 }: WaitOptions = {}) {
    for (const [name, value, least] of [
      ['count', count, 1],
      ['timeoutMs', timeoutMs, 0],
      ...(since === 'now' ? [] : [['since', since, 0] as const]),
    ] as const)
      if (!Number.isSafeInteger(value) || value < least)
        throw new TypeError(
          `${name}: give a whole number from ${least}${name === 'since' ? ', the id of a delivery, or "now"' : ''}; got ${value}.`,
        )
    const follow = async (changed: () => void) => host.engine.subscribe(changed)
    const waited = await waitForDeliveries({ call, follow }, { filter, count, since, timeoutMs })
    const matched = waited.rows.map(eventRecord)
    if (!waited.timedOut) return matched
    const ids = new Set(matched.map(({ id }) => id))
    const instead = (await deliveries('', waited.after)).filter(({ id }) => !ids.has(id))
    throw new WaitTimeout(
      `${matched.length} of ${count} deliveries matched ${JSON.stringify(filter)} within ${timeoutMs} ms; arrived instead: ${instead.map(({ id, kind, verdict }) => `#${id} ${kind ?? 'no event'} (${verdict ?? 'not analysed'})`).join(', ') || 'none'}.`,
      matched,
      instead,
    )
  }

  return {
    url: receiver.url,
    data,
    deliveries: (filter) => deliveries(filter),
    async body(id) {
      const pieces: Buffer[] = []
      for (let from = 0; ; from += PIECE) {
        const slice = { id, view: 'raw', from, length: PIECE } as const
        const { bytesBase64, total } = await call('deliveries.body', slice)
        pieces.push(Buffer.from(bytesBase64, 'base64'))
        if (from + PIECE >= total) return Buffer.concat(pieces)
      }
    },
    waitFor: wait,
    close,
  }
}

const FORWARD = {
  name: 'handler',
  enabled: true,
  filter: '',
  concurrency: 4,
  whenDown: 'queue',
  answerFrom: null,
  answerTimeoutMs: 5_000,
  temporary: true,
} as const

/** Waits until deliveries match a filter, as `acuse wait-for` does; earlier ones count too. @throws WaitTimeout, which lists what arrived instead */
export const waitFor = (
  receiver: Receiver,
  filter: string,
  options?: WaitOptions,
): Promise<readonly Delivery[]> => receiver.waitFor(filter, options)

export interface SandboxOptions {
  /** Default: a free one. */
  readonly port?: number
  /** The same seed gives the same data; default 1. */
  readonly seed?: number
  /** Where to send all 28 kinds: a receiver, or the address of your handler. */
  readonly sendTo?: string | Pick<Receiver, 'url'>
}

/** What became of an event at a subscription. */
export interface Sent {
  readonly kind: string
  readonly outcome: (typeof SANDBOX_OUTCOMES)[number]
  /** Status of the answer; null without one. */
  readonly status: number | null
}

export interface Sandbox {
  /** Address of the service's routes, such as the sync routes. */
  readonly url: string
  readonly apiKey: string
  /** Emits events of a kind and waits until each was sent. @param set values by JSON pointer of the envelope, such as `/data/StatusId` */
  emit(
    kind: Kind,
    options?: {
      readonly count?: number
      readonly seed?: number
      readonly set?: Readonly<Record<string, unknown>>
    },
  ): Promise<readonly Sent[]>
  /** Runs a scenario, such as `accepted`, and waits until each event was sent. */
  scenario(
    name: string,
    options?: { readonly count?: number; readonly seed?: number },
  ): Promise<readonly Sent[]>
  close(): Promise<void>
}

const POLL_MS = 20

/** Starts a simulated service in memory. @throws Error when the port cannot be used */
export async function startSandbox({ port = 0, seed = 1, sendTo }: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox({ file: ':memory:', seed, port })
  const address = { url: sandbox.url, adminToken: sandbox.adminToken }
  const sent = async (run: string): Promise<readonly Sent[]> => {
    const found: Sent[] = []
    for (let after = 0; ; ) {
      // Before the log: an attempt that ends between the two calls is then on the page.
      const { running } = await callSandbox(address, 'sandbox.run', { run })
      const page = await callSandbox(address, 'sandbox.log', { type: 'event', limit: PAGE, run, after })
      for (const { id, kind, outcome, status } of page.entries) {
        found.push({ kind, outcome, status })
        after = id
      }
      if (page.next === null && !running && page.pending === 0) return found
      if (page.next === null) await pause(POLL_MS)
    }
  }
  if (sendTo !== undefined) {
    const url = typeof sendTo === 'string' ? sendTo : sendTo.url
    await callSandbox(address, 'sandbox.save-subscription', { name: 'Test suite', url }).catch(
      async (error) => {
        await sandbox.close()
        throw error
      },
    )
  }
  return {
    url: sandbox.url,
    apiKey: sandbox.apiKey,
    async emit(kind, options = {}) {
      return sent((await callSandbox(address, 'sandbox.emit', { kind, ...defined(options) })).run)
    },
    async scenario(slug, options = {}) {
      const asked = { slug, background: true, ...defined(options) }
      return sent((await callSandbox(address, 'sandbox.scenario', asked)).run)
    },
    close: () => sandbox.close(),
  }
}

export type { Group, Kind, ValidatedFinding as Finding }
