import { z } from 'zod'
import { notFound } from '../domain/refusal.ts'
import { ENTRY_TYPES, OUTCOMES } from '../log/entry.ts'
import type { ExecutionLog } from '../log/log.ts'
import type { LogQuery } from '../log/query.ts'
import { type AdminContext, type AdminRoute, idFrom, ok, understood } from './route.ts'

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be from ${least} to ${most}`)
const yesOrNo = z.enum(['true', 'false']).transform((value) => value === 'true')
const text = z.string().max(1_000)

const filters = z.strictObject({
  type: z.enum(ENTRY_TYPES).optional(),
  outcome: z.enum(OUTCOMES).optional(),
  lost: yesOrNo.optional(),
  superseded: yesOrNo.optional(),
  kind: text.optional(),
  subject: text.optional(),
  subscription: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
  run: text.optional(),
  q: text.min(1).optional(),
})
const paged = filters.extend({
  order: z.enum(['oldest', 'newest']).default('oldest'),
  after: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  limit: wholeNumber(1, 1_000).default(100),
  /** Without requests and answers. */
  brief: yesOrNo.default(false),
})

/** The execution log: paged, searchable, exportable. */
export function logRoutes({ log, dispatcher }: AdminContext): readonly AdminRoute[] {
  return [
    {
      method: 'get',
      path: '/log',
      summary:
        'Read the execution log. Filters: type (event, test, plugin), outcome, lost, superseded, kind, subject, subscription, run, q. Paging: order (oldest, newest), after (the next of the page before), limit (100, at most 1000), brief.',
      handle({ query }) {
        const { brief, ...wanted } = understood(paged, query)
        // Read before the page: what ends in between is then either still pending here or already on the page.
        const pending = wanted.run === undefined ? dispatcher.pending : dispatcher.pendingOf(wanted.run)
        const entries = brief ? log.brief(wanted) : log.full(wanted)
        const next = entries.length === wanted.limit ? (entries.at(-1)?.id ?? null) : null
        return ok({ entries, next, total: log.count(wanted), pending })
      },
    },
    {
      method: 'get',
      path: '/log/:id',
      summary: 'Read one entry with its request and answer.',
      handle({ params }) {
        const entry = log.get(idFrom(params.id))
        if (!entry) throw notFound('There is no such entry in the log.')
        return ok(entry)
      },
    },
    {
      method: 'get',
      path: '/log.ndjson',
      summary: 'Export the log, whole or by the same filters: one entry a line, oldest first.',
      handle: ({ query }) => ({ status: 200, lines: exported(log, understood(filters, query)) }),
    },
  ]
}

const PER_PIECE = 200

function* exported(log: ExecutionLog, filter: Omit<LogQuery, 'order' | 'limit'>): Generator<string> {
  let after = 0
  for (;;) {
    const entries = log.full({ ...filter, order: 'oldest', after, limit: PER_PIECE })
    if (entries.length === 0) return
    yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    after = entries.at(-1)?.id ?? after
  }
}
