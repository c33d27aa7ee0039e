import type { DatabaseSync } from 'node:sqlite'
import { bad } from '../domain/refusal.ts'

export interface AccountingQuery {
  readonly from: number
  readonly to: number
  readonly documentTypeId: number | null
  readonly limit: number
  /** Whether the newest item comes first. */
  readonly falling?: boolean
}

export interface TreasuryQuery {
  /** Cursor: an issue instant, and the id of the last document returned at that instant. */
  readonly from: number | null
  readonly after: string | null
  readonly to: number | null
  readonly documentTypeId: number | null
  readonly limit: number
}

export interface SyncItem {
  readonly id: string
  readonly issuedAt: number
  /** Text ready to send: parsing and serialising again would take most of a page's time. */
  readonly json: string
}

const ACCOUNTING = 'SELECT id, issued_at, sync AS json FROM documents WHERE sync IS NOT NULL'
/** Appends the payment methods to the accounting item as its last member. */
const TREASURY = `SELECT id, issued_at, substr(sync, 1, length(sync) - 1) || ',"PaymentMethods":' || payments || '}' AS json
  FROM documents WHERE due > 0`

export function createSyncPages(database: DatabaseSync) {
  const inRange = 'issued_at >= ? AND issued_at <= ?'
  const afterCursor = '(issued_at, id) > (?, ?) AND issued_at <= ?'
  const prepared = (select: string, where: string, order = 'issued_at, id') => ({
    any: database.prepare(`${select} AND ${where} ORDER BY ${order} LIMIT ?`),
    typed: database.prepare(`${select} AND type = ? AND ${where} ORDER BY ${order} LIMIT ?`),
  })
  const rising = prepared(ACCOUNTING, inRange)
  const fallen = prepared(ACCOUNTING, inRange, 'issued_at DESC, id DESC')
  const treasury = { start: prepared(TREASURY, inRange), on: prepared(TREASURY, afterCursor) }
  const issued = database.prepare('SELECT issued_at FROM documents WHERE id = ?')

  const page = (
    statements: ReturnType<typeof prepared>,
    type: number | null,
    bounds: readonly (string | number)[],
    limit: number,
  ): SyncItem[] => {
    // One row beyond the limit shows whether more remain, without a second query.
    const rows =
      type === null
        ? statements.any.all(...bounds, limit + 1)
        : statements.typed.all(type, ...bounds, limit + 1)
    return rows.map((row) => ({
      id: String(row.id),
      issuedAt: Number(row.issued_at),
      json: String(row.json),
    }))
  }

  return {
    accounting: ({ from, to, documentTypeId, limit, falling = false }: AccountingQuery) =>
      page(falling ? fallen : rising, documentTypeId, [from, to], limit),
    treasury: ({ from, after, to, documentTypeId, limit }: TreasuryQuery) => {
      const until = to ?? Number.MAX_SAFE_INTEGER
      if (after === null)
        return page(treasury.start, documentTypeId, [from ?? Number.MIN_SAFE_INTEGER, until], limit)
      const id = after.toLowerCase()
      const instant = from ?? instantOf(id)
      return page(treasury.on, documentTypeId, [instant, id, until], limit)
    },
  }

  /** Completes a cursor that has only a document id. */
  function instantOf(id: string): number {
    const row = issued.get(id)
    if (!row)
      throw bad('unknown-cursor', 'afterDocumentId without from must name a document of this workspace.')
    return Number(row.issued_at)
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN = new Set([0x7b, 0x5b])
const CLOSE = new Set([0x7d, 0x5d])
const COMMA = 0x2c
const COLON = 0x3a
const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d])

/**
 * @returns a member's value byte for byte: digits, escapes and white space unchanged. The last of several equal names wins, as in
 * JSON.parse.
 * @param json an object, known to be valid JSON in UTF-8
 */
export function memberBytes(json: Buffer, name: string): Buffer | undefined {
  let found: Buffer | undefined
  let at = skipSpace(json, json.indexOf(0x7b) + 1)
  while (json[at] === QUOTE) {
    const keyEnd = stringEnd(json, at)
    const key: unknown = JSON.parse(json.toString('utf8', at, keyEnd))
    const start = skipSpace(json, json.indexOf(COLON, keyEnd) + 1)
    const end = valueEnd(json, start)
    if (key === name) found = json.subarray(start, end)
    at = skipSpace(json, end)
    if (json[at] === COMMA) at = skipSpace(json, at + 1)
  }
  return found
}

function skipSpace(json: Buffer, from: number): number {
  let at = from
  while (SPACE.has(json[at] ?? 0)) at += 1
  return at
}

function stringEnd(json: Buffer, from: number): number {
  let at = from + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at + 1
}

function valueEnd(json: Buffer, from: number): number {
  let depth = 0
  let at = from
  while (at < json.length) {
    const byte = json[at] ?? 0
    if (byte === QUOTE) {
      at = stringEnd(json, at)
    } else if (depth === 0 && (byte === COMMA || CLOSE.has(byte) || SPACE.has(byte))) {
      return at
    } else {
      if (OPEN.has(byte)) depth += 1
      else if (CLOSE.has(byte)) depth -= 1
      at += 1
    }
    if (depth === 0 && (byte === QUOTE || CLOSE.has(byte))) return at
  }
  return at
}
