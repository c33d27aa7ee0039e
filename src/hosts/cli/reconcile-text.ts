import type { DocumentClass, DocumentRow, ReconciliationSummary } from '#contract/reconcile.ts'
import { CLASSES } from '#contract/values.ts'
import { documentName, issued, limitsOf, missedText, remarks, wordsOf } from '#interop/report/words.ts'
import type { Paint, Shade } from './colours.ts'
import { number } from './job-screen.ts'
import { visible } from './visible.ts'

/** The terminal speaks English; only what is handed over speaks the reader's language. */
const WORDS = wordsOf('en')

/** Nobody reads more on a screen; files and scripts get all. */
const MOST_LINES = 1_000

const SHADES: Readonly<Partial<Record<DocumentClass, Shade>>> = {
  matched: 'good',
  missing: 'bad',
  differs: 'odd',
}

export interface Look {
  readonly paint: Paint
  /** In which dates are days. */
  readonly zone: string
}

/** One reconciliation for people: how it went, counts, money, then a line per document other than matched. */
export function reconciliationText(
  summary: ReconciliationSummary,
  rows: readonly DocumentRow[],
  { paint, zone }: Look,
): string {
  const { sweep, counts, atStake, missedEvents, sharedDifferences } = summary
  const { range } = sweep
  const shownClasses = CLASSES.toReversed().filter(
    (name) => counts[name] > 0 || ['matched', 'missing', 'differs'].includes(name),
  )
  const events = Object.entries(missedEvents)
  const lines = [
    visible(`${range.route}-sync  ${range.from ?? 'the beginning'} to ${range.to ?? 'the end'}`),
    `${sweep.state === 'complete' ? 'complete' : sweep.state.toUpperCase()}: ${number(sweep.documents)} ${sweep.documents === 1 ? 'document' : 'documents'} on ${number(sweep.pages)} ${sweep.pages === 1 ? 'page' : 'pages'}`,
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
    ...(summary.recovered > 0
      ? [
          // Of those that differ too, so it may be more than are missing.
          '',
          `  ${'recovered'.padEnd(20)} ${number(summary.recovered).padStart(9)}`,
          `  ${'not recovered'.padEnd(20)} ${number(summary.notRecovered).padStart(9)}`,
        ]
      : []),
    ...(sharedDifferences.length === 0 ? [] : ['', WORDS.headings.shared]),
    ...sharedDifferences.map(({ field, documents, captured, service }) =>
      visible(`  ${field.padEnd(20)} ${WORDS.sharedDifference(documents, captured, service)}`),
    ),
    ...(atStake.length === 0 ? [] : ['', 'Money at stake in missing documents']),
    ...atStake.map(({ currency, amount, documents }) =>
      visible(
        `  ${currency.padEnd(4)} ${amount} in ${number(documents)} ${documents === 1 ? 'document' : 'documents'}`,
      ),
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

function rowLines(row: DocumentRow, { paint, zone }: Look): readonly string[] {
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

/** What nobody can know from the routes, once under all that was found. */
export const limitsText = (): string =>
  `\nWhat cannot be known\n${limitsOf(WORDS)
    .map((text) => `  ${text}`)
    .join('\n')}\n`
