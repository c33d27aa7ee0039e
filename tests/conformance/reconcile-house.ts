import { onTestFinished } from 'vitest'
import type { Kind } from '#catalog/kinds.ts'
import type { MissRule, RowRule, SharedDifference } from '#contract/reconcile.ts'
import { main } from '#hosts/cli/main.ts'
import type { ClassName } from '#hosts/cli/shared/reconcile-options.ts'
import { serveLocal } from '#hosts/local/server.ts'
import { createSandbox } from '#sandbox/sandbox.ts'
import { assembled } from '../support/assembled.ts'
import { SandboxClient } from '../support/sandbox-client.ts'
import { terminalDouble } from '../support/terminal-double.ts'
import { until } from '../support/until.ts'

const DAY = 86_400_000
// Each command adds signal listeners, and many commands run in this process.
process.setMaxListeners(0)

export interface Printed {
  readonly route: string
  readonly complete: boolean
  readonly items: number
  readonly counts: Readonly<Record<ClassName, number>>
  readonly rows: readonly {
    readonly documentId: string | null
    readonly number: string | null
    readonly class: string
    readonly missed: readonly { readonly kind: Kind | null; readonly rule: MissRule }[]
    readonly rules: readonly RowRule[]
    readonly cannotTell: readonly MissRule[]
    readonly reason: string
  }[]
  readonly sharedDifferences?: readonly SharedDifference[]
}

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly printed: readonly Printed[]
}

/** A whole host with the local socket for commands. */
export interface House {
  readonly receiverUrl: string
  readonly dataDir: string
  /** Runs one command line in this process, on this host, with the API key in the environment. */
  acuse(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Outcome>
}

export const API_KEY = 'canary-key-4c1f'

export async function house(): Promise<House> {
  const { host, receiverUrl, close } = await assembled()
  const { dataDir } = await host.engine.call('app.info', {})
  const local = await serveLocal({ engine: host.engine, dataDir })
  onTestFinished(async () => {
    await local.close()
    await close()
  })
  return {
    receiverUrl,
    dataDir,
    async acuse(args, env = { ACUSE_API_KEY: API_KEY }) {
      const terminal = terminalDouble({ env })
      const flag = args[0] === 'publish' ? '--data-dir' : '--data'
      const code = await main([...args, flag, dataDir], terminal)
      const [stdout, stderr] = [terminal.stdout(), terminal.stderr()]
      const lines =
        args.includes('--json') && stdout.startsWith('{"route"') ? stdout.trimEnd().split('\n') : []
      return { code, stdout, stderr, printed: lines.map((line) => JSON.parse(line)) }
    },
  }
}

/** Makes the connection "erp" to a service, with 0 hours of "not yet due". */
export async function connect(home: House, url: string): Promise<void> {
  const to = ['--base-url', url, '--api-key-env', 'ACUSE_API_KEY', '--issued-hours', '0']
  const made = await home.acuse(['connections', 'set', 'erp', ...to])
  if (made.code !== 0) throw new Error(made.stderr)
}

export const reconciling = (home: House, from: string, to: string) => ({
  /** Runs `reconcile --json` of a range with the connection "erp". */
  async reconcile(...more: readonly string[]) {
    const range = ['--from', from, '--to', to]
    const outcome = await home.acuse(['reconcile', '--connection', 'erp', ...range, '--json', ...more])
    const [result] = outcome.printed
    if (!result) throw new Error(`nothing printed: ${outcome.stderr}`)
    return { ...outcome, result }
  },
})

export interface LogEntry {
  readonly seq: number
  readonly kind: Kind
  readonly subject: string
  readonly outcome: string
  readonly lost: boolean
  readonly supersededBy: number | null
  readonly request: { readonly body: string }
}

/** Starts a host and a sandbox that sends to it, with a connection "erp" with 0 hours of "not yet due". */
export async function business() {
  const sandbox = await createSandbox({
    ...{ file: ':memory:', seed: 1, port: 0, credentials: { apiKey: API_KEY } },
  })
  onTestFinished(() => sandbox.close())
  const client = new SandboxClient(sandbox)
  const home = await house()
  await client.admin('POST', '/subscriptions', { url: home.receiverUrl })
  await connect(home, sandbox.url)
  const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)
  return {
    ...home,
    sandbox,
    client,
    ...reconciling(home, day(-40), day(2)),
    /** Plays a scenario until all its deliveries have ended. @returns the run's log */
    async play(slug: string, count: number, seed = 3): Promise<readonly LogEntry[]> {
      const { body } = await client.admin('POST', `/scenarios/${slug}`, { count, seed })
      const all: LogEntry[] = []
      const run = () => client.admin('GET', `/runs/${body.run}`)
      await until(run, ({ body: state }) => state.pending === 0 && !state.running)
      for (let after = 0; ; ) {
        const { body: page } = await client.admin('GET', `/log?run=${body.run}&limit=1000&after=${after}`)
        all.push(...page.entries)
        if (page.next === null) return all
        after = page.next
      }
    },
  }
}

const PROVABLE = /^(?:factura|nota_credito|nota_debito|gasto|dgii)\./

/**
 * Missed events that a comparison can prove, by document: every lost event that leaves a trace in the compared data.
 * An update leaves none when no event with values of its document was captured: then the item's values are
 * the only ones. Nor does it when a captured note on the document explains other amounts, or when it changed nothing of the
 * accounting projection, as with a note without amounts.
 */
export function traceable(log: readonly LogEntry[]): ReadonlyMap<string, ReadonlySet<Kind>> {
  const events = log.filter(({ kind }) => PROVABLE.test(kind))
  const captured = events.filter(({ lost }) => !lost)
  // The last captured projection of each document; the log is in order.
  const valued = new Map<string, string>()
  for (const entry of captured)
    if (/\.(?:created|updated)$/.test(entry.kind)) valued.set(entry.subject, projection(entry))
  const noted = new Set(
    captured
      .filter(({ kind }) => /^nota_.*\.created$/.test(kind))
      .map(({ request }) => JSON.parse(request.body).data.ModifiedReferenceId),
  )
  const missed = new Map<string, Set<Kind>>()
  for (const entry of events) {
    const { kind, subject, lost, supersededBy } = entry
    if (!lost || supersededBy !== null) continue
    if (kind.endsWith('.updated')) {
      const last = valued.get(subject)
      if (last === undefined || noted.has(subject) || last === projection(entry)) continue
    }
    missed.set(subject, (missed.get(subject) ?? new Set()).add(kind))
  }
  return missed
}

/** The compared part of an event: Accounting without AmountDue, which payments change. */
function projection({ request }: LogEntry): string {
  const { AmountDue: _due, ...rest } = JSON.parse(request.body).data.Accounting
  return JSON.stringify(rest)
}

export const found = ({ rows }: Printed): ReadonlyMap<string, ReadonlySet<Kind>> =>
  new Map(
    rows
      .filter(({ missed }) => missed.length > 0)
      .map(({ documentId, missed }) => [
        documentId ?? '',
        new Set(missed.flatMap(({ kind }) => (kind === null ? [] : [kind]))),
      ]),
  )
