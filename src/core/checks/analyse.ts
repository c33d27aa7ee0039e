import { DELIVERY_METHODS } from '#catalog/service.ts'
import { SELF_TEST_EVENT } from '#contract/values.ts'
import { decodeText } from '../json/decode.ts'
import { eachDuplicateKey } from '../json/duplicates.ts'
import { type JsonReason, scanJson } from '../json/scan.ts'
import { codeOf, type JsonTree, MAX_NODES, OBJECT, sourceOf } from '../json/tree.ts'
import type { Analysis, Judged, See } from './analysis.ts'
import type { Code } from './codes.ts'
import { checkEnvelope, type Extracted, NOTHING } from './envelope.ts'
import { createFindings, type Findings, shorten } from './findings.ts'

const UNREADABLE: { readonly [R in JsonReason]: Code } = {
  empty: 'body-empty',
  end: 'json-cut-off',
  unexpected: 'json-unexpected',
  trailing: 'json-trailing',
  control: 'json-control-character',
  escape: 'json-escape',
  number: 'json-number',
  'too-many': 'json-too-many-values',
}

/** Room for 4,000 nodes, enough for most events; allocating per event would cost a tenth of the analysis. No tree outlives its analysis. */
const scratch = new Uint32Array(12_000)

interface Read {
  readonly text: string
  readonly tree: JsonTree | undefined
  readonly extracted: Extracted
}

/**
 * Judges one delivery using only its content and the catalogue (spec: readings). Never throws. Takes time and memory linear in the body, up
 * to 256 MiB and 16 million values.
 * @param see called with the tree of a body of one of the 28 kinds after judging; the tree is invalid afterwards
 */
export function analyse(delivery: Judged, see?: See, values = MAX_NODES): Analysis {
  let current: JsonTree | undefined
  const findings = createFindings(() => current)
  checkMethod(delivery.method, findings)
  checkContentType(delivery.contentType, findings)
  const { text, tree, extracted } = readBody(delivery.body, findings, values, (found) => {
    current = found
  })
  if (extracted.event === SELF_TEST_EVENT)
    return { ...extracted, verdict: 'test', findings: [], findingCount: 0 }
  const { count, verdict, kept } = findings.finish(text, tree)
  if (see && tree && extracted.kind !== null) see(extracted.kind, tree)
  return { ...extracted, verdict, findings: kept, findingCount: count }
}

function readBody(body: Judged['body'], findings: Findings, values: number, hold: (tree: JsonTree) => void) {
  const unread = (text = ''): Read => ({ text, tree: undefined, extracted: NOTHING })
  if ('undecodable' in body) {
    const { coding, reason } = body.undecodable
    findings.delivery('coding-failed', { coding: shorten(coding), reason: shorten(reason, 200) })
    return unread()
  }
  if ('unread' in body) {
    findings.delivery(body.unread, body.params)
    return unread()
  }
  const decoded = textOf(body.bytes, findings)
  if (decoded === undefined) return unread()
  if ('before' in decoded) return unread(decoded.before)

  const { text, bytes } = decoded
  const tree = scanJson(text, bytes, scratch, values)
  if ('problem' in tree) {
    const found = tree.offset < text.length ? shorten(characterAt(text, tree.offset)) : ''
    const params = tree.problem === 'too-many' ? { limit: values } : { found }
    findings.delivery(UNREADABLE[tree.problem], params, tree.problem === 'empty' ? 0 : tree.offset)
    return unread(text)
  }
  hold(tree)
  if (codeOf(tree, 0) !== OBJECT) {
    findings.at('body-not-object', 0, { found: shorten(sourceOf(tree, 0)) })
    return { text, tree, extracted: NOTHING }
  }
  eachDuplicateKey(tree, (key) => findings.at('duplicate-key', key))
  return { text, tree, extracted: checkEnvelope(tree, findings) }
}

/** Decodes the body as UTF-8. @returns `before`: the text in front of the first invalid byte; undefined when nothing is text */
function textOf(
  bytes: Uint8Array,
  findings: Findings,
): { text: string; bytes: Uint8Array } | { before: string } | undefined {
  const decoded = decodeText(bytes)
  if ('text' in decoded) {
    if (decoded.bom) findings.delivery('body-bom', {}, 0)
    return decoded
  }
  switch (decoded.problem) {
    case 'not-utf8':
      findings.delivery(
        'body-not-utf8',
        { found: `0x${decoded.byte.toString(16).padStart(2, '0')}`, offset: decoded.byteOffset },
        decoded.before.length,
      )
      return { before: decoded.before }
    case 'other-encoding':
      findings.delivery('body-other-encoding', { found: decoded.encoding }, 0)
      return undefined
    case 'too-large':
      findings.delivery('body-too-large', { found: bytes.length, limit: decoded.limit })
      return undefined
  }
}

function characterAt(text: string, offset: number): string {
  const point = text.codePointAt(offset) ?? 0
  return point <= 0x20 || (point >= 0x7f && point <= 0xa0)
    ? `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
    : String.fromCodePoint(point)
}

/** Compares case-sensitively (RFC 9110, 9.1). */
export function checkMethod(method: string, findings: Findings): void {
  if (DELIVERY_METHODS.some((documented) => documented === method)) return
  findings.delivery('method-not-documented', {
    found: shorten(method),
    expected: DELIVERY_METHODS.join(', '),
  })
}

const JSON_TYPE = /^\s*[\w!#$&^.+-]{1,100}\/(?:json|[\w!#$&^.-]{1,100}\+json)\s*(?:;|$)/i
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i

/** Notes a Content-Type other than JSON or a charset other than UTF-8: both contradict the promised body. A missing one is fine. */
export function checkContentType(contentType: string | null, findings: Findings): void {
  if (contentType === null) return
  if (contentType === 'application/json' || contentType === 'application/json; charset=utf-8') return
  const value = contentType.slice(0, 1_000)
  const charset = CHARSET.exec(value)?.[1]
  if (JSON_TYPE.test(value) && (charset === undefined || /^utf-?8$/i.test(charset))) return
  findings.delivery('content-type', { found: shorten(contentType) })
}
