import { z } from 'zod'
import type { DeliveryRow } from '#contract/delivery.ts'
import { readFilter } from '#core/filter/read.ts'
import { describePlan, plan } from '#storage/reader/plan.ts'
import { command, flag, option, preset, type Values } from '../shared/command.ts'
import { namedFilter, type Reached } from '../shared/reach.ts'
import { clock, eventRecord, local, total } from '../shared/records.ts'
import { type Paint, painter, type Shade, VERDICT_SHADES, visible } from '../shared/text.ts'

interface Column {
  readonly title: string
  /** Least width in characters. On a narrower screen a column with a `rank` is hidden, another one cut. */
  readonly least: number
  /** Width in characters when there is room. */
  readonly most: number
  /** Order of preference when not all columns fit, 1 first; columns without a rank are always shown. */
  readonly rank?: number
  readonly right?: boolean
  readonly shade?: (row: DeliveryRow) => Shade | null
  readonly cell: (row: DeliveryRow, width: number) => string
}

const NOTHING = '–'
const column = (
  title: string,
  room: number | readonly [least: number, most: number],
  cell: Column['cell'],
  more: Partial<Column> = {},
): Column => {
  const [least, most] = typeof room === 'number' ? [room, room] : room
  return { title, least, most, cell, ...more }
}
const MARKS = column('MARKS', 12, marks, { rank: 4 })
const ID = column('ID', 6, (row) => String(row.id), { right: true })
const FACTS = [
  column('VERDICT', 10, (row) => (row.rejected ? 'rejected' : (row.verdict ?? NOTHING)), {
    shade: (row) => (row.rejected ? 'bad' : row.verdict && VERDICT_SHADES[row.verdict]),
  }),
  column('EVENT', [20, 26], (row) => row.event ?? row.url),
  column('NUMBER', 13, (row) => row.document?.number ?? row.number ?? NOTHING),
  column('PARTY', [12, 36], (row) => row.document?.party ?? NOTHING, { rank: 2 }),
  column('TOTAL', [13, 17], ({ document }) => total(document), { rank: 1, right: true }),
  column('ANSWER', 6, (row) => String(row.answer ?? NOTHING), { rank: 3, right: true }),
]

/** Columns on a screen. They hold the time only, since a separate line shows each new day. */
const SCREEN: readonly Column[] = [
  ID,
  column('TIME', [8, 12], ({ receivedAt }, width) => clock(receivedAt).slice(0, width < 12 ? 8 : 12)),
  ...FACTS,
  MARKS,
]
const WIDE: readonly Column[] = [
  ID,
  column('RECEIVED', 23, (row) => local(row.receivedAt)),
  ...FACTS,
  column('ENDPOINT', 12, (row) => row.endpoint),
  column('METHOD', 6, (row) => row.method),
  column('DOCUMENT', 36, (row) => row.documentId ?? NOTHING),
  column('SIZE', 9, (row) => String(row.size), { right: true }),
  MARKS,
]

const GAP = '  '

/** Selects the columns that fit a screen, with their widths; the last ranks grow first from the room that is left. */
function fitting(columns: readonly Column[], screen: number): readonly (readonly [Column, number])[] {
  const byRank = columns.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
  const widths = new Map<Column, number>()
  let left = screen + GAP.length
  for (const column of byRank) {
    if (column.rank !== undefined && left < column.least + GAP.length) break
    widths.set(column, column.least)
    left -= column.least + GAP.length
  }
  for (const [column, least] of [...widths].toReversed()) {
    const more = Math.max(0, Math.min(left, column.most - least))
    widths.set(column, least + more)
    left -= more
  }
  return columns.flatMap((column) => {
    const width = widths.get(column)
    return width === undefined ? [] : [[column, width] as const]
  })
}

/** Formats deliveries as lines of text; escapes what a terminal would execute. */
export class EventTable {
  readonly #columns: readonly (readonly [Column, number])[]
  readonly #screen: number | null
  readonly #paint: Paint
  #day = ''

  /** @param screen width in characters, which hides columns and cuts cells; null: every column uncut */
  constructor(screen: number | null, paint: Paint) {
    this.#columns = screen === null ? WIDE.map((column) => [column, column.most]) : fitting(SCREEN, screen)
    this.#screen = screen
    this.#paint = paint
  }

  head(): string {
    return this.#line((column) => column.title)
  }

  row(row: DeliveryRow): string {
    const line = this.#line(
      (column, width) => column.cell(row, width),
      (column) => column.shade?.(row) ?? null,
    )
    const day = local(row.receivedAt).slice(0, 10)
    if (this.#screen === null || day === this.#day) return line
    this.#day = day
    return `${this.#paint('faint', `── ${day} ──`)}\n${line}`
  }

  #line(
    content: (column: Column, width: number) => string,
    shade: (column: Column) => Shade | null = () => null,
  ): string {
    let free = this.#screen ?? Number.POSITIVE_INFINITY
    const cells = this.#columns.map(([column, width]) => {
      const text = visible(content(column, width))
      const most =
        this.#screen === null ? Number.POSITIVE_INFINITY : Math.min(free, column === MARKS ? free : width)
      const cut = text.length > most ? `${text.slice(0, Math.max(0, most - 1))}…`.slice(0, most) : text
      const padded = (column.right ? cut.padStart(width) : column === MARKS ? cut : cut.padEnd(width)).slice(
        0,
        free,
      )
      free = Math.max(0, free - padded.length - GAP.length)
      return this.#paint(shade(column), padded)
    })
    return `${cells
      .filter((cell) => cell !== '')
      .join(GAP)
      .trimEnd()}\n`
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

/** Longest wait for the analysis of recent deliveries; those not analysed by then print with verdict null. */
const ANALYSIS_MS = 5_000
const PAGE = 1_000

const OPTIONS = {
  filter: preset('<filter>', 'only those the filter selects (as in the window)', String, ''),
  limit: option('<n>', 'print at most this many', z.int().min(0).max(1_000_000_000)),
  newest: flag('newest first instead of oldest first'),
  reveal: flag('print credentials in request targets too'),
  wide: { ...flag('every column, uncut, also on a screen; a pipe always gets them'), not: ['json'] },
  explain: { ...flag('print how the store reads the filter, and no deliveries'), only: ['filter'] },
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
  async run(given, cli) {
    await cli.existing(async (reached) => {
      const { terminal, json } = cli
      const filter = await namedFilter(reached, given.filter)
      // Refuse a wrong filter before the first line is printed, also in an empty store.
      const tree = readFilter(filter)
      if (given.explain) {
        const read = describePlan(plan(tree))
        const lines = Object.entries(read).map(([name, value]) => `${name.padEnd(10)}${visible(value)}\n`)
        return cli.print(read, lines.join(''))
      }
      await reached.call('deliveries.settled', { timeoutMs: ANALYSIS_MS })
      const table = new EventTable(
        given.wide || !Number.isFinite(terminal.columns) ? null : terminal.columns,
        painter(terminal.coloured),
      )
      if (!json) await terminal.print(table.head())
      for await (const rows of pages(reached, given, filter)) {
        if (terminal.readerGone) return
        const lines = rows.map((row) => (json ? `${JSON.stringify(eventRecord(row))}\n` : table.row(row)))
        await terminal.print(lines.join(''))
      }
    })
  },
})

/** Reads pages up to the newest delivery at the start, so that new arrivals cannot keep the command running for ever. */
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
