import { curlOf, exactText } from '#core/copy/copy.ts'
import type { MaskedDelivery } from '../delivery.ts'
import { utc } from '../records.ts'
import { shown } from '../text.ts'
import { each, type Format, ownHeaders } from './format.ts'

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
