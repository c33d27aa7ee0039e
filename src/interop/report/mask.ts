import type { DocumentRow } from '#contract/reconcile.ts'
import type { Report } from './model.ts'
import { wordsOf } from './words.ts'
import type { ReportWords } from './words-en.ts'

/**
 * Covers whom a document was made out to. Ids, numbers, dates and amounts stay: without them a missed document could not be looked up.
 * Notes stay as a user typed them, and the report says so.
 */
export function masked(report: Report): Report {
  if (!report.masked) return report
  return {
    ...report,
    sections: report.sections.map((section) => ({
      ...section,
      documents: section.documents.map((document) => ({
        ...document,
        row: maskedRow(document.row, wordsOf(report.language)),
      })),
    })),
  }
}

const maskedRow = (row: DocumentRow, words: ReportWords): DocumentRow =>
  row.party === null ? row : { ...row, party: covered(row.party, words) }

/** The first letter and the length, which tell two parties apart and name none. */
function covered(text: string, words: ReportWords): string {
  const characters = [...text]
  const [first] = characters
  return first === undefined ? '' : words.covered(first, characters.length)
}
