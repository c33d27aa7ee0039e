import { EXPORT_COLUMNS, type EXPORT_FORMATS } from '#contract/transfer.ts'
import { findingMessage } from '#core/checks/messages.ts'
import { curlOf, exactText } from '#core/copy/copy.ts'
import { bodyMembers, deliveryRecord, eventRecord, type MaskedDelivery, utc } from '../records.ts'
import { cell, escaped, shown } from '../text.ts'
import { each, type Format, ownHeaders, type WriteOptions } from './format.ts'
import { har } from './har.ts'
import { raw } from './raw.ts'
import { fixture, postman } from './suites.ts'

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

/** A comment that names the delivery; `#` begins one in both shells. */
function comment(delivery: MaskedDelivery): string {
  const { detail, bodyState } = delivery
  const masked = JSON.stringify([detail.url, detail.headers]).includes('masked-') || bodyState === 'masked'
  return [
    `# Delivery ${detail.id}: ${shown(detail.event ?? detail.method)}, received ${utc(detail.receivedAt)}`,
    ...(masked ? ['# Values that begin with "masked-" replace secrets and personal data.'] : []),
    ...(bodyState === 'decoded' ? ['# The body is written without its Content-Encoding.'] : []),
    ...(bodyState === 'left-out'
      ? ['# The body is left out: it cannot be read, so it cannot be masked.']
      : []),
    '',
  ].join('\n')
}

/** A POSIX shell script with one curl command per delivery, in the order of arrival. */
export const curl: Format = {
  extension: 'sh',
  mediaType: 'application/x-sh',
  write: each(
    (delivery, { base }) => `\n${comment(delivery)}${curlOf(delivery, base)}\n`,
    () => '#!/bin/sh\nset -e\n',
  ),
}

/** A quoted value in a configuration file of curl. */
const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\t', '\\t')}"`
/** Headers that curl adds unless told not to. */
const BY_ITSELF = ['User-Agent', 'Accept', 'Content-Type', 'Expect']

/** curl's options as a configuration file: PowerShell 5 spoils quotes in arguments of programs. */
export function curlConfig(delivery: MaskedDelivery, base: string | null): string {
  const { detail, body } = delivery
  const headers = ownHeaders(delivery)
  const host = detail.headers.find(({ name }) => name.toLowerCase() === 'host')?.value ?? 'localhost'
  const origin = base ?? `http://${host}`
  const plain = /^\/[\x21\x22\x24-\x7e]*$/.test(detail.url)
  const has = (wanted: string) => headers.some(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  return [
    ...(detail.method === 'HEAD' ? ['head'] : [`request = ${quoted(detail.method)}`]),
    ...(detail.httpVersion === '1.0' ? ['http1.0'] : []),
    'globoff',
    'path-as-is',
    ...(plain ? [] : [`request-target = ${quoted(detail.url)}`]),
    `url = ${quoted(plain ? origin + detail.url : `${origin}/`)}`,
    ...headers.map(
      ({ name, value }) => `header = ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`,
    ),
    ...BY_ITSELF.filter((name) => !has(name)).map((name) => `header = "${name}:"`),
    ...(body.length > 0 ? ['data-binary = "@acuse-body.bin"'] : []),
  ].join('\n')
}

function powershellOf(delivery: MaskedDelivery, base: string | null): string {
  const { id, malformed } = delivery.detail
  if (malformed === 'unparseable' || malformed === 'connect')
    return `# Delivery ${id} is not a request that curl can send.\n`
  const base64 = Buffer.from(delivery.body).toString('base64')
  const content = exactText(delivery.body) === null ? 'bytes that are no text' : 'text'
  return [
    `Send-Delivery -Body '${base64}' -Config @'`,
    curlConfig(delivery, base),
    `'@ # The body is ${content}, in base64, so that it goes out byte for byte.`,
    '',
  ].join('\n')
}

/** Sends one delivery with the curl.exe of Windows, or with curl elsewhere. The configuration is Latin-1, which is what HTTP/1.1 carries. */
const SEND = `function Send-Delivery([string]$Body, [string]$Config) {
  $folder = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
  [void][IO.Directory]::CreateDirectory($folder)
  Push-Location $folder
  try {
    [IO.File]::WriteAllBytes((Join-Path $folder 'acuse-body.bin'), [Convert]::FromBase64String($Body))
    [IO.File]::WriteAllBytes((Join-Path $folder 'acuse.curl'), [Text.Encoding]::GetEncoding(28591).GetBytes($Config))
    $curl = if ($env:OS -eq 'Windows_NT') { 'curl.exe' } else { 'curl' }
    & $curl --silent --show-error --config acuse.curl
    if ($LASTEXITCODE -ne 0) { throw "curl ended with $LASTEXITCODE." }
  } finally {
    Pop-Location
    Remove-Item -Recurse -Force $folder
  }
}
`

/** A script for PowerShell 5 and later. Its byte order mark makes version 5 read it as UTF-8. */
export const powershell: Format = {
  extension: 'ps1',
  mediaType: 'text/plain',
  write: each(
    (delivery, { base }) => `\n${comment(delivery)}${powershellOf(delivery, base)}`,
    () => `\u{feff}$ErrorActionPreference = 'Stop'\n${SEND}`,
  ),
}

/** One JSON object per line, with the members of `acuse events --json`. */
export const ndjson: Format = {
  extension: 'ndjson',
  mediaType: 'application/x-ndjson',
  hasBodies: ({ bodies }) => bodies,
  write: each((delivery, { bodies }) => {
    const record = bodies
      ? { ...deliveryRecord(delivery), ...bodyMembers(delivery) }
      : eventRecord(delivery.detail)
    return `${JSON.stringify(record)}\n`
  }),
}

type Column = (typeof EXPORT_COLUMNS)[number]

function cellOf(delivery: MaskedDelivery, column: Column): unknown {
  const { detail } = delivery
  switch (column) {
    case 'findings':
      return detail.findingList.map(({ code, pointer }) => `${code} ${pointer}`.trim())
    case 'malformed':
    case 'remoteAddress':
    case 'event':
    case 'timestamp':
    case 'tookUs':
    case 'attempts':
      return detail[column]
    default:
      return eventRecord(detail)[column]
  }
}

const shownIn = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(' ')
  return value === null || value === undefined ? '' : String(value)
}

const line = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`
const columnsOf = ({ columns }: WriteOptions): readonly Column[] =>
  columns
    ? EXPORT_COLUMNS.filter((one) => columns.includes(one)).sort(
        (a, b) => columns.indexOf(a) - columns.indexOf(b),
      )
    : EXPORT_COLUMNS

/** For spreadsheets, with a byte order mark, without which they misread UTF-8. No cell is a formula. */
export const csv: Format = {
  extension: 'csv',
  mediaType: 'text/csv',
  hasBodies: () => false,
  write: each(
    (delivery, options) => line(columnsOf(options).map((column) => shownIn(cellOf(delivery, column)))),
    (options) => `\u{feff}${line(columnsOf(options))}`,
  ),
}

/** Without `session`, which needs the store (hosts/transfer/session-export.ts). */
export type ExportFormat = Exclude<(typeof EXPORT_FORMATS)[number], 'session'>

export const FORMATS: Readonly<Record<ExportFormat, Format>> = {
  ndjson,
  csv,
  har,
  raw,
  curl,
  powershell,
  postman,
  fixture,
  report,
}
