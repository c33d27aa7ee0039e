import type { Report } from './model.ts'
import { evidenceText, joinedBy, limitsOf, method, reasonText, wordsOf } from './words.ts'

/** For programs: names as in the contract, everything that the other forms say. Times are ISO 8601 in UTC; only
 * sentences are in the report's language. */
export function reportJson(report: Report): string {
  const { connection, language } = report
  const words = wordsOf(language)
  return `${JSON.stringify(
    {
      format: 'acuse-reconciliation',
      version: 1,
      createdAt: new Date(report.createdAt).toISOString(),
      acuse: report.version,
      masked: report.masked,
      language,
      connection: {
        name: connection.name,
        baseUrl: connection.baseUrl,
        endpoints: connection.endpoints,
        kinds: connection.kinds,
        zone: connection.zone,
        ignoredFields: connection.ignoredFields,
        notYetDue: connection.notYetDue,
        documentTypes: connection.documentTypes,
      },
      recovery: report.recovery,
      reconciliations: report.sections.map(({ summary, documents, unlisted = 0 }) => ({
        ...summary,
        unlisted,
        joinedBy: joinedBy(summary),
        method: method(words, summary),
        comparedAt: new Date(summary.comparedAt).toISOString(),
        firstMissing: isoOf(summary.firstMissing),
        lastMissing: isoOf(summary.lastMissing),
        documents: documents.map(({ row, differences, evidence }) => ({
          ...row,
          reason: reasonText(words, row),
          issuedAt: isoOf(row.issuedAt),
          recovered:
            row.recovered === null ? null : { at: isoOf(row.recovered.at), status: row.recovered.status },
          differences,
          evidence: evidence.map((one) => ({ type: one.type, text: evidenceText(words, one) })),
        })),
      })),
      limits: limitsOf(words),
    },
    null,
    2,
  )}\n`
}

/** @param micros microseconds since the epoch */
const isoOf = (micros: number | null): string | null =>
  micros === null ? null : new Date(micros / 1_000).toISOString()
