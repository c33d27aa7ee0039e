import { findingMessage } from '#core/checks/messages.ts'
import { exactText } from '#core/copy/copy.ts'
import type { MaskedDelivery } from '../delivery.ts'
import { utc } from '../records.ts'
import { escaped, shown } from '../text.ts'
import { each, type Format } from './format.ts'

/** Characters of a body that a report shows. */
const SHOWN = 64 * 1_024

/** A code block whose fence is longer than any run of backticks in it. */
function block(text: string, language: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const plain = text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => line.replace(/\t/g, '  '))
    .map(shown)
  return `${fence}${language}\n${plain.join('\n')}\n${fence}`
}

function bodyOf({ detail, decoded, body, bodyState }: MaskedDelivery): string {
  if (bodyState === 'left-out') return 'The body is left out: it cannot be read, so it cannot be masked.'
  if (detail.bodyKept === 0) return 'No body.'
  const text = exactText(decoded ?? body)
  const coded =
    detail.codings.length > 0 || bodyState === 'decoded' ? ' It is shown without its Content-Encoding.' : ''
  if (text === null)
    return `${detail.size} bytes that are no text, in base64:\n\n${block(Buffer.from(body.subarray(0, SHOWN)).toString('base64'), '')}`
  const rest = text.length > SHOWN ? ` The first ${SHOWN} characters follow.` : ''
  return `${detail.size} bytes.${coded}${rest}\n\n${block(text.slice(0, SHOWN), 'json')}`
}

function sectionOf(delivery: MaskedDelivery): string {
  const { detail } = delivery
  const facts: readonly (readonly [string, string | number | null])[] = [
    ['Received', utc(detail.receivedAt)],
    ['Request', `${detail.method} ${detail.url} HTTP/${detail.httpVersion}`],
    ['Endpoint', detail.endpoint],
    ['Event', detail.event],
    ['Document', detail.documentId],
    ['Number', detail.document?.number ?? detail.number],
    ['Verdict', detail.rejected ? 'rejected: the secret header was wrong or absent' : detail.verdict],
    ['Not a whole request', detail.malformed],
    ['Marks', detail.marks.join(', ') || null],
    ['Answer', detail.answer],
    ['Note', detail.noteText?.text ?? null],
  ]
  const findings = detail.findingList.map((finding) => {
    const place = finding.line === undefined ? '' : ` (line ${finding.line}, column ${finding.column ?? 1})`
    const about = `${finding.level}, ${finding.pointer || 'whole body'}${place}: ${findingMessage(finding, 'en')}`
    return `* ${escaped(about)} Code ${escaped(finding.code)}. Rule: ${escaped(finding.rule)}.`
  })
  return [
    `## Delivery ${detail.id}`,
    facts
      .flatMap(([name, value]) => (value === null ? [] : [`* ${name}: ${escaped(String(value))}`]))
      .join('\n'),
    '### Findings',
    findings.length > 0 ? findings.join('\n') : 'None.',
    '### Headers',
    block(detail.headers.map(({ name, value }) => `${name}: ${value}`).join('\n'), ''),
    '### Body',
    bodyOf(delivery),
    '',
  ].join('\n\n')
}

/** A bug report in Markdown: each delivery with its findings and the rules behind them. */
export const report: Format = {
  extension: 'md',
  mediaType: 'text/markdown',
  write: each(
    (delivery) => `\n${sectionOf(delivery)}`,
    ({ version, createdAt }) =>
      `# Webhook deliveries\n\nWritten by Acuse ${version} at ${new Date(createdAt).toISOString()}. Values that begin with "masked-" replace secrets and personal data.\n`,
  ),
}
