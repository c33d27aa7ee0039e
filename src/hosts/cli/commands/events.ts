import { z } from 'zod'
import type { DeliveryRow } from '#contract/delivery.ts'
import { readFilter } from '#core/filter/read.ts'
import { describePlan, plan } from '#storage/reader/plan.ts'
import { command, flag, option, preset, type Values } from '../shared/command.ts'
import { namedFilter, type Reached } from '../shared/reach.ts'
import { eventRecord, local } from '../shared/records.ts'
import { visible } from '../shared/text.ts'

interface Column {
  readonly title: string
  readonly width: number
  readonly right?: boolean
  readonly cell: (row: DeliveryRow) => string
}

const NOTHING = '–'
const COLUMNS: readonly Column[] = [
  { title: 'ID', width: 8, right: true, cell: (row) => String(row.id) },
  { title: 'RECEIVED', width: 23, cell: (row) => local(row.receivedAt) },
  { title: 'ENDPOINT', width: 12, cell: (row) => row.endpoint },
  { title: 'METHOD', width: 6, cell: (row) => row.method },
  { title: 'EVENT', width: 30, cell: (row) => row.event ?? row.url },
  { title: 'DOCUMENT', width: 36, cell: (row) => row.documentId ?? NOTHING },
  { title: 'VERDICT', width: 10, cell: (row) => row.verdict ?? NOTHING },
  { title: 'ANSWER', width: 6, right: true, cell: (row) => String(row.answer ?? NOTHING) },
  { title: 'SIZE', width: 9, right: true, cell: (row) => String(row.size) },
  { title: 'MARKS', width: 0, cell: marks },
]

/** Deliveries as lines for people; captured text is made harmless and cut to its column. */
export class EventTable {
  readonly #columns: number

  /** @param columns width of the screen; lines are cut there */
  constructor(columns: number) {
    this.#columns = columns
  }

  head(): string {
    return this.#line((column) => column.title)
  }

  row(row: DeliveryRow): string {
    return this.#line((column) => column.cell(row))
  }

  #line(content: (column: Column) => string): string {
    const cells = COLUMNS.map((column) => {
      const text = visible(content(column))
      if (column.width === 0) return text
      const cut = text.length > column.width ? `${text.slice(0, column.width - 1)}…` : text
      return column.right ? cut.padStart(column.width) : cut.padEnd(column.width)
    })
    return `${cells.join('  ').trimEnd().slice(0, this.#columns)}\n`
  }
}

function marks(row: DeliveryRow): string {
  return [
    ...(row.rejected ? ['rejected'] : []),
    ...(row.malformed ? [row.malformed] : []),
    ...row.marks,
    ...(row.note ? ['note'] : []),
    ...row.tags.map((tag) => `#${tag}`),
  ].join(', ')
}

/** How long the analysis of what has just arrived is waited for; what is not judged by then has verdict null. */
const ANALYSIS_MS = 5_000
const PAGE = 1_000

const OPTIONS = {
  filter: preset('<filter>', 'only those the filter selects (as in the window)', String, ''),
  limit: option('<n>', 'at most so many', z.int().min(0).max(1_000_000_000)),
  newest: flag('newest first instead of oldest first'),
  reveal: flag('print credentials in request targets too'),
  explain: flag('print how the store reads the filter, and no deliveries'),
}

export const events = command({
  name: 'events',
  about: 'List deliveries, oldest first: one line each, all of them unless limited.',
  options: OPTIONS,
  json: 'one JSON object per line (NDJSON)',
  examples: [
    ['acuse events --newest --limit 20', 'the last twenty'],
    ['acuse events --filter "kind:factura.* verdict:invalid"', 'invalid deliveries about invoices'],
    ['acuse events --json | jq -r .documentId', 'every document id, oldest first'],
    ['acuse events --filter "kind:factura.* took:>1s" --explain', 'why a filter is slow'],
  ],
  run: (given, cli) =>
    cli.existing(async (reached) => {
      const { terminal, json } = cli
      const filter = await namedFilter(reached, given.filter)
      // Refused before anything is printed, also where there is nothing to select from.
      const tree = readFilter(filter)
      if (given.explain) {
        const read = describePlan(plan(tree))
        const lines = Object.entries(read).map(([name, value]) => `${name.padEnd(10)}${visible(value)}\n`)
        return cli.print(read, lines.join(''))
      }
      await reached.call('deliveries.settled', { timeoutMs: ANALYSIS_MS })
      const table = new EventTable(terminal.columns)
      if (!json) await terminal.print(table.head())
      for await (const rows of pages(reached, given, filter)) {
        if (terminal.readerGone) return
        const lines = rows.map((row) => (json ? `${JSON.stringify(eventRecord(row))}\n` : table.row(row)))
        await terminal.print(lines.join(''))
      }
    }),
})

/** The set as it stood at the call: what arrives while it is printed could keep the command from ever ending. */
async function* pages(
  reached: Reached,
  { limit: most, newest, reveal }: Values<typeof OPTIONS>,
  filter: string,
): AsyncGenerator<readonly DeliveryRow[]> {
  const [last] = (await reached.call('deliveries.scan', { filter: '', after: null, limit: 1, newest: true }))
    .rows
  let after: number | null = null
  let left = most ?? Number.POSITIVE_INFINITY
  while (last && left > 0) {
    const limit = Math.min(PAGE, left)
    const { rows }: { rows: readonly DeliveryRow[] } = await reached.call('deliveries.scan', {
      filter,
      after,
      limit,
      newest,
      reveal,
    })
    const wanted = rows.filter((row) => row.id <= last.id)
    yield wanted
    left -= wanted.length
    after = rows.at(-1)?.id ?? null
    if (rows.length < limit || (!newest && wanted.length < rows.length)) return
  }
}
