import { KINDS } from '#catalog/kinds.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import type { SweepRequest } from '#contract/reconcile.ts'
import { zonedText } from '#core/time/zone.ts'
import type { Assembled } from './assembled.ts'
import { type ForeignDocument, type ForeignEvent, foreignEvents, foreignLedger } from './foreign-ledger.ts'
import { foreignService } from './foreign-service.ts'
import { fourTargets, replayTargets } from './replay-targets.ts'
import { aDelivery } from './store.ts'
import { until } from './until.ts'
import type { Seed } from './window-host.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export type ReconcileWorld = Awaited<ReturnType<typeof start>>

const worlds = new Map<number, Promise<ReconcileWorld>>()

/** Returns one world for all tests of a process; the service does not keep the process alive. */
export function reconcileWorld(count: number): Promise<ReconcileWorld> {
  const known = worlds.get(count) ?? start(count)
  worlds.set(count, known)
  return known
}

/** Starts a service with documents, and decides which of their events are captured. */
async function start(count: number) {
  const documents = booksOf(count)
  // Every twentieth document was captured but is not listed.
  const listed = documents.filter((_, n) => n % 20 !== 4)
  const service = await foreignService(listed)
  const day = (ago: number) =>
    zonedText(DEFAULT_CONNECTION.zone, (Date.now() - ago * DAY_MS) * 1_000).slice(0, 10)
  /** Range of the issue dates. */
  const range = { from: day(20), to: day(1) }
  const captured = documents.flatMap((document, n) =>
    foreignEvents(document).filter((event) => !isLost(event, n)),
  )
  const issuedMinutesAgo = (n: number) => (Date.now() - (documents[n]?.issued ?? 0) / 1_000) / 60_000
  return {
    ...{ service, documents, range },
    /** Restores the service's documents and default knobs. */
    reset() {
      service.documents = listed
      service.turn({})
    },
    /** Seed of a host with the captured events, two connections and four targets; with one sweep unless `swept` is false. */
    seed: (swept: boolean): Seed => ({
      more: {
        name: `captured of ${count}`,
        deliveries: () =>
          captured.map(({ body, document }, n) =>
            aDelivery({ body, receivedAt: document.issued + 120_000_000 + n }),
          ),
      },
      coverage: [
        { state: 'listening', minutesAgo: 60 * 24 * 60 },
        { state: 'off', minutesAgo: issuedMinutesAgo(1) + 10 },
        { state: 'listening', minutesAgo: issuedMinutesAgo(1) - 350 },
      ],
      lived: {
        name: `connections${swept ? ', swept' : ''}`,
        live: async (host) => {
          await connect(host, service.url)
          if (swept) await sweep(host, { route: 'accounting', ...range, documentTypeId: null, pageSize: 200 })
        },
      },
    }),
  }
}

/** Documents of twenty days in order, the last three of the last hours. A document's index decides its history. */
function booksOf(count: number): readonly ForeignDocument[] {
  const from = Date.now() - 20 * DAY_MS
  const span = 18.5 * DAY_MS
  const at = (n: number) =>
    n >= count - 3 ? Date.now() - (count - n) * HOUR_MS : from + Math.floor((span * n) / count)
  return foreignLedger({
    ...{ seed: 11, count, codes: [31] },
    issued: (n) => Math.floor(at(n) / 1_000) * 1_000_000,
  }).map((document, n): ForeignDocument => {
    const number = `E31${String(1_000 + n).padStart(10, '0')}`
    const plain = { ...document, number, status: 5, voided: false, totalBefore: null }
    switch (n % 20) {
      case 1:
        return { ...plain, totalBefore: '1.00' }
      case 3:
        return { ...plain, voided: true }
      case 5:
        return { ...plain, group: 'gasto', code: 43, status: 2, number: number.replace('E31', 'E43') }
      default:
        return plain
    }
  })
}

function isLost({ kind, document }: ForeignEvent, n: number): boolean {
  if (document.group === 'gasto') return true
  if (document.issued / 1_000 > Date.now() - DAY_MS) return true
  const fate = n % 20
  return (
    fate === 0 ||
    (fate === 1 && kind === 'factura.updated') ||
    (fate === 2 && kind.startsWith('dgii.')) ||
    (fate === 3 && kind === 'factura.anulated')
  )
}

async function connect({ host: { engine } }: Assembled, baseUrl: string): Promise<void> {
  const { apiKey, pluginToken, ...members } = DEFAULT_CONNECTION
  await engine.call('connections.save', {
    ...{ ...members, baseUrl, name: 'produccion', apiKey: 'key' },
    kinds: KINDS.map(({ kind }) => kind).filter((kind) => !kind.startsWith('gasto.')),
  })
  await engine.call('connections.save', { ...members, baseUrl, name: 'sandbox', pluginToken: 'token' })
  const { url } = await replayTargets()
  for (const target of fourTargets(url)) await engine.call('targets.save', target)
  await engine.call('targets.set-default', { name: 'staging' })
}

async function sweep({ host: { engine } }: Assembled, range: SweepRequest): Promise<void> {
  const { id } = await engine.call('sweeps.start', { connection: 'produccion', range })
  const ask = () => engine.call('sweeps.get', { id })
  const { state, problems } = await until(ask, (told) => told.state !== 'running')
  if (state !== 'complete') throw new Error(`the sweep ended ${state}: ${JSON.stringify(problems)}`)
}
