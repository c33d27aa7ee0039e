import type { DocumentRow, ReportFile, ReportParams } from '#contract/reconcile.ts'
import { MOST_LISTED } from '#contract/values.ts'

const MEDIA = { html: 'text/html', csv: 'text/csv', json: 'application/json', markdown: 'text/markdown' }

/** A plain list of what is not matched: the true report is written where no window reaches. */
export function reportOf(
  { sweep, format, language, unmask = false }: ReportParams,
  connection: string,
  rows: readonly DocumentRow[],
): ReportFile {
  const others = rows.filter((row) => row.class !== 'matched')
  const listed = others.slice(0, MOST_LISTED)
  const lines = listed.map(({ number, class: name, party }) => [number, name, unmask ? party : '…'].join(','))
  return {
    text: [`${format} ${language}`, ...lines].join('\n'),
    name: `acuse-${connection}-sweep-${sweep}.${format === 'markdown' ? 'md' : format}`,
    mediaType: MEDIA[format],
    ...{ listed: listed.length, unlisted: others.length - listed.length },
  }
}
