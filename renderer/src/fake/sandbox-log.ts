import { KINDS, type Kind } from '#catalog/kinds.ts'
import type { SandboxLogEntry, SandboxLogPage, SandboxLogQuery, SandboxOutcome } from '#contract/sandbox.ts'
import { wholeBodyOf } from './bodies.ts'
import { chance } from './chance.ts'

export interface Happening {
  readonly kind: Kind
  readonly body: string
  readonly run: string | null
  readonly cause: string
  readonly outcome: SandboxOutcome
  readonly url: string
  readonly target: string
}

const WENT: readonly SandboxOutcome[] = ['delivered', 'refused', 'failed', 'timed-out', 'cut']
const ID = /"(?:DocumentId|CustomerId|SupplierId|ProductId)":\s*"([^"]+)"/
const ERRORS: Readonly<Partial<Record<SandboxOutcome, string>>> = {
  failed: 'connect ECONNREFUSED 127.0.0.1:4400',
  'timed-out': 'no answer within 10000 ms',
  cut: 'the laboratory cut the connection',
}

/** An entry as the real log would have it for what happened. */
export function entryOf(id: number, at: number, what: Happening): SandboxLogEntry {
  const { kind, body, run, cause, outcome, url, target } = what
  const status = outcome === 'delivered' ? 200 : outcome === 'refused' ? 500 : null
  const lost = outcome !== 'delivered'
  return {
    ...{ id, type: 'event', run, seq: id, kind, subject: ID.exec(body)?.[1] ?? kind, cause },
    ...{ subscription: { id: 1, name: target }, outcome, lost, error: ERRORS[outcome] ?? null },
    supersededBy: lost && id % 4 === 0 ? id + 3 : null,
    errorCode:
      outcome === 'failed'
        ? 'connection'
        : outcome === 'timed-out'
          ? 'timeout'
          : outcome === 'cut'
            ? 'cut'
            : null,
    deeds: outcome === 'lost' || outcome === 'cut' ? [{ code: outcome }] : [],
    laboratory: outcome === 'lost' ? ['lost on purpose'] : outcome === 'cut' ? ['cut on purpose'] : [],
    at: new Date(at).toISOString(),
    durationMs: WENT.includes(outcome) ? 2 + (id % 37) / 4 : null,
    ...{ method: 'POST', url, status },
    request: {
      head: WENT.includes(outcome)
        ? `POST / HTTP/1.1\r\nHost: 127.0.0.1:4400\r\nContent-Type: application/json\r\nX-Hook-Secret: 24 characters\r\nContent-Length: ${body.length}\r\n\r\n`
        : null,
      body,
    },
    answer:
      status === null
        ? null
        : {
            status,
            head: `HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`,
            body: status === 500 ? '{"error":"the handler threw"}' : '',
            ...{ encoding: 'utf8', truncated: false },
          },
  }
}

/** A log of `count` entries with some of every outcome, the last one now. */
export function manyEntries(seed: number, count: number, url: string): SandboxLogEntry[] {
  const now = Date.now()
  return Array.from({ length: count }, (_, i) => {
    const kind = KINDS[Math.floor(chance(seed, i, 50) * KINDS.length)]?.kind ?? 'factura.created'
    const at = now - (count - i) * 830
    const draw = chance(seed, i, 51)
    const rare: readonly SandboxOutcome[] = [
      'lost',
      'failed',
      'refused',
      'timed-out',
      'cut',
      'not-dispatched',
    ]
    const outcome = draw < 0.8 ? 'delivered' : (rare[Math.floor((draw - 0.8) * 30)] ?? 'delivered')
    const happening = { kind, body: wholeBodyOf(kind, seed + i, at), run: null, cause: 'traffic' }
    return entryOf(i + 1, at, { ...happening, outcome, url, target: 'Acuse receiver' })
  })
}

function finds(entry: SandboxLogEntry, filter: SandboxLogQuery): boolean {
  const { type, outcome, lost, kind, subject, subscription, run, q } = filter
  return (
    (type === undefined || entry.type === type) &&
    (outcome === undefined || entry.outcome === outcome) &&
    (lost === undefined || entry.lost === lost) &&
    (kind === undefined || entry.kind === kind) &&
    (subject === undefined || entry.subject === subject) &&
    (subscription === undefined || entry.subscription.id === subscription) &&
    (run === undefined || entry.run === run) &&
    (q === undefined || JSON.stringify(entry).toLowerCase().includes(q.toLowerCase()))
  )
}

/** A page of the log, as the admin API gives it. */
export function pageOf(
  log: readonly SandboxLogEntry[],
  { order = 'oldest', after, limit = 100, ...filter }: SandboxLogQuery,
): SandboxLogPage<SandboxLogEntry> {
  const found = log.filter((entry) => finds(entry, filter))
  const ordered = order === 'newest' ? found.toReversed() : found
  const rest = ordered.filter(
    ({ id }) => after === undefined || (order === 'newest' ? id < after : id > after),
  )
  const entries = rest.slice(0, limit)
  const next = entries.length === limit ? (entries.at(-1)?.id ?? null) : null
  return { entries, next, total: found.length, pending: 0 }
}
