import { accountingOfEvent } from '#core/checks/facts.ts'
import { decodeText } from '#core/json/decode.ts'
import { scanJson } from '#core/json/scan.ts'
import type { CanonicalValue } from '#core/reconcile/types.ts'
import { codingsOf, decodeBody } from '../body/codings.ts'
import { asBuffer, readBody } from '../body/stored-body.ts'
import type { Statements } from '../sql/connection.ts'
import { unpackHeaders } from '../wire/record.ts'

/** Bytes as a text of JSON; undefined when they are none. */
export function treeOf(bytes: Uint8Array) {
  const decoded = decodeText(bytes)
  if (!('text' in decoded)) return undefined
  const tree = scanJson(decoded.text, decoded.bytes)
  return 'problem' in tree ? undefined : tree
}

/** The accounting projection of a captured event with its sources; undefined when the delivery is gone or cannot be read. */
export function accountingOfDelivery(
  statements: Statements,
  id: number,
): ReadonlyMap<string, CanonicalValue> | undefined {
  const row = statements
    .get('SELECT d.upload, p.headers FROM delivery d JOIN payload p ON p.delivery_id = d.id WHERE d.id = ?')
    .get(id)
  if (!row) return undefined
  const raw = readBody(statements, { id, upload: typeof row.upload === 'string' ? row.upload : null })
  const body = decodeBody(raw, codingsOf(unpackHeaders(asBuffer(row.headers))))
  const tree = 'bytes' in body ? treeOf(body.bytes) : undefined
  return tree && accountingOfEvent(tree)
}
