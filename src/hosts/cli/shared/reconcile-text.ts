import { AcuseError } from '#contract/errors.ts'
import type {
  DocumentClass,
  DocumentRow,
  ReconciliationSummary,
  Sweep,
  SweepRange,
} from '#contract/reconcile.ts'
import { CLASSES } from '#contract/values.ts'
import { amountText } from '#core/json/money.ts'
import {
  documentName,
  issued,
  limitsOf,
  missedText,
  remarks,
  sharedText,
  wordsOf,
} from '#interop/report/words.ts'
import type { Reached } from './reach.ts'
import { polls, type Terminal } from './terminal.ts'
import { counted, number, type Paint, type Shade, visible } from './text.ts'

/** Terminal output is English; only reports have a language option. */
const WORDS = wordsOf('en')

/** Rows printed as text; --json and --report have all of them. */
const MOST_LINES = 1_000

const SHADES: Readonly<Partial<Record<DocumentClass, Shade>>> = {
  matched: 'good',
  recovered: 'good',
  missing: 'bad',
  differs: 'odd',
}

interface Style {
  readonly paint: Paint
  /** Time zone in which an instant becomes a day. */
  readonly zone: string
}

export function reconciliationText(
  summary: ReconciliationSummary,
  rows: readonly DocumentRow[],
  { paint, zone }: Style,
): string {
  const { sweep, counts, atStake, missedEvents, sharedDifferences } = summary
  const { range } = sweep
  const shownClasses = CLASSES.toReversed().filter(
    (name) => counts[name] > 0 || ['matched', 'missing', 'differs'].includes(name),
  )
  const events = Object.entries(missedEvents)
  const lines = [
    visible(`${range.route}-sync  ${range.from ?? 'the beginning'} to ${range.to ?? 'the end'}`),
    `${sweep.state === 'complete' ? 'complete' : sweep.state.toUpperCase()}: ${counted(sweep.documents, 'document')} on ${counted(sweep.pages, 'page')}`,
    '',
    ...shownClasses.map(
      (name) =>
        `  ${WORDS.classes[name].padEnd(20)} ${paint(counts[name] > 0 ? (SHADES[name] ?? null) : null, number(counts[name]).padStart(9))}`,
    ),
    ...(summary.notReached > 0
      ? [`  ${'not reached'.padEnd(20)} ${number(summary.notReached).padStart(9)}`]
      : []),
    ...(summary.ignored > 0
      ? [`  ${'of missing ignored'.padEnd(20)} ${number(summary.ignored).padStart(9)}`]
      : []),
    ...(sharedDifferences.length === 0 ? [] : ['', WORDS.headings.shared]),
    ...sharedDifferences.map((one) => visible(`  ${one.field.padEnd(20)} ${sharedText(WORDS, one)}`)),
    ...(atStake.length === 0 ? [] : ['', 'Money at stake in documents still missing']),
    ...atStake.map(({ currency, amount, documents }) =>
      visible(`  ${currency.padEnd(4)} ${amountText(amount, 'en')} in ${counted(documents, 'document')}`),
    ),
    ...(events.length === 0 ? [] : ['', 'Missed events']),
    ...events.map(
      ([kind, count]) =>
        `  ${(kind === 'unknown' ? 'kind unknown' : kind).padEnd(26)} ${number(count ?? 0).padStart(9)}`,
    ),
    ...(rows.length === 0 ? [] : ['', 'Documents other than matched']),
    ...rows.slice(0, MOST_LINES).flatMap((row) => rowLines(row, { paint, zone })),
    ...(rows.length > MOST_LINES
      ? [`  … and ${number(rows.length - MOST_LINES)} more; --json and --report have all of them.`]
      : []),
  ]
  return `${lines.join('\n')}\n`
}

function rowLines(row: DocumentRow, { paint, zone }: Style): readonly string[] {
  const day = row.issuedAt === null ? '–' : issued(row.issuedAt, zone).slice(0, 10)
  const head = `  ${day.padEnd(10)}  ${paint(SHADES[row.class] ?? null, WORDS.classes[row.class].padEnd(18))}  `
  const name = visible(
    row.number !== null && row.documentId !== null ? `${row.number}  ${row.documentId}` : documentName(row),
  )
  const details = [
    ...row.missed.map((missed) => missedText(WORDS, missed)),
    ...(row.differences.length === 0 ? [] : [`differs in ${row.differences.join(', ')}`]),
    ...remarks(WORDS, row),
  ]
  return [`${head}${name}`, ...details.map((text) => `      ${visible(text)}`)]
}

export const limitsText = (): string =>
  `\nWhat cannot be known\n${limitsOf(WORDS)
    .map((text) => `  ${text}`)
    .join('\n')}\n`

/** Poll interval: short at first, so that a small range ends at once; it grows up to the second value. */
const FIRST_POLL_MS = 10
const LAST_POLL_MS = 250
/** Time that the page in flight has to end after a pause. */
const ENDING_MS = 3_000

/** Sweeps one range to its end; resumes a paused sweep of the same range. @param stop pauses the sweep when it resolves */
export async function sweepRange(
  reached: Pick<Reached, 'call'>,
  connection: string,
  range: SweepRange,
  terminal: Terminal,
  stop: Promise<void>,
): Promise<Sweep> {
  const { sweeps } = await reached.call('sweeps.list', { connection })
  const paused = sweeps.find((one) => one.state === 'paused' && same(one.range, range))
  if (paused) terminal.say(`Goes on with sweep ${paused.id}, which was paused${at(paused)}.`)
  const sweep = paused
    ? await reached.call('sweeps.resume', { id: paused.id })
    : await reached.call('sweeps.start', { connection, range })
  try {
    return await follow(reached, sweep, terminal, stop)
  } finally {
    terminal.progress(null)
  }
}

async function follow(
  { call }: Pick<Reached, 'call'>,
  begun: Sweep,
  terminal: Terminal,
  stop: Promise<void>,
): Promise<Sweep> {
  const { id } = begun
  let sweep = begun
  let asked = false
  let pausedAt: number | undefined
  let said: string | undefined
  for await (const stopping of polls(stop, FIRST_POLL_MS, LAST_POLL_MS)) {
    if (asked) sweep = await call('sweeps.get', { id })
    asked = true
    if (sweep.state !== 'running' || (pausedAt !== undefined && Date.now() > pausedAt + ENDING_MS)) break
    terminal.progress(progressText(sweep))
    const [problem] = sweep.problems
    if (problem?.params.tried !== undefined && problem.code !== said)
      terminal.say(`${problem.message} Retrying, ${problem.params.tried} of ${problem.params.tries}.`)
    said = problem?.code
    if (stopping && pausedAt === undefined) {
      pausedAt = Date.now()
      sweep = await call('sweeps.pause', { id }).catch((error: unknown) => {
        // The sweep ended before the pause.
        if (error instanceof AcuseError && error.code === 'conflict') return call('sweeps.get', { id })
        throw error
      })
      if (sweep.state !== 'running') break
    }
  }
  return sweep
}

function progressText(sweep: Sweep): string {
  return [
    `${sweep.range.route}-sync`,
    counted(sweep.pages, 'page'),
    `${number(sweep.documents)} documents`,
    ...(sweep.reached === null ? [] : [`reached ${sweep.reached.slice(0, 10)}`]),
    ...(sweep.retries === 0 ? [] : [`${number(sweep.retries)} tried again`]),
    'Ctrl+C pauses',
  ].join(' · ')
}

const at = ({ reached }: Sweep): string => (reached === null ? '' : ` at ${reached}`)

const same = (a: SweepRange, b: SweepRange): boolean =>
  a.route === b.route &&
  a.from === b.from &&
  a.to === b.to &&
  a.documentTypeId === b.documentTypeId &&
  a.pageSize === b.pageSize
