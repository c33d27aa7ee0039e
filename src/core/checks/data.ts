import type { FieldSpec } from '#catalog/fields.ts'
import type { KindSpec } from '#catalog/kinds.ts'
import { isInteger, parseDecimal, toSafeInteger } from '../json/decimal.ts'
import {
  ARRAY,
  afterOf,
  codeOf,
  type JsonTree,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
  sourceOf,
  stringOf,
} from '../json/tree.ts'
import { ACCOUNTING_TABLE, type FieldTable, LINE_TABLE, type Matched, matchFields } from './fields.ts'
import { type Findings, storable } from './findings.ts'

export interface Checking {
  readonly tree: JsonTree
  readonly spec: KindSpec
  readonly findings: Findings
  readonly search: SearchText
}

/** 8-4-4-4-12 hex digits of either case, any version, no braces (readings, "data per kind"). */
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const UUID_LENGTH = 36

/** @returns values of an accounting projection, by ACCOUNTING_TABLE */
export const checkField = (checking: Checking, field: FieldSpec, node: number): Matched | undefined =>
  CHECKS[field.type]?.(checking, node)
const CHECKS: Partial<Record<FieldSpec['type'], (checking: Checking, node: number) => Matched | undefined>> =
  { uuid: checkUuid, integer: checkStatus, lines: checkLines, accounting: checkAccounting }

function checkUuid({ tree, findings }: Checking, node: number): undefined {
  const code = codeOf(tree, node)
  // Check the length of the source first: decoding the value could cost megabytes.
  const short = code === STRING && sourceOf(tree, node).length <= UUID_LENGTH * 6 + 2
  if (code === NULL) findings.at('document-id-null', node)
  else if (!short || !UUID.test(stringOf(tree, node))) findings.at('document-id-not-uuid', node)
}

/** A number longer than 400 characters with a fraction or exponent is not parsed and counts as no integer. */
const isWhole = (source: string): boolean => {
  if (source.length <= 400 ? /^-?\d+$/.test(source) : !/[.eE]/.test(source)) return true
  const value = parseDecimal(source)
  return value !== undefined && isInteger(value)
}

export function statusOf(tree: JsonTree, node: number): number | null {
  if (codeOf(tree, node) !== NUMBER) return null
  const value = parseDecimal(sourceOf(tree, node))
  return (value && toSafeInteger(value)) ?? null
}

function checkStatus({ tree, spec, findings }: Checking, node: number): undefined {
  const code = codeOf(tree, node)
  if (code === NULL && spec.statusId === undefined) findings.at('field-null', node)
  else if (code !== NULL && !(code === NUMBER && isWhole(sourceOf(tree, node))))
    findings.at('status-not-integer', node)
  else if (spec.statusId !== undefined && statusOf(tree, node) !== spec.statusId)
    findings.at('dgii-status', node, { expected: spec.statusId, event: spec.kind })
}

function checkLines({ tree, findings, search }: Checking, node: number): undefined {
  const code = codeOf(tree, node)
  if (code !== ARRAY) {
    findings.at(code === NULL ? 'field-null' : 'lines-not-list', node)
    return undefined
  }
  let room = true
  const end = afterOf(tree, node)
  for (let item = node + 1; item < end; item = afterOf(tree, item)) {
    if (codeOf(tree, item) !== OBJECT) {
      findings.at('line-not-object', item)
      continue
    }
    const matched = matchFields(tree, item, LINE_TABLE, findings)
    if (room) room = search.take(LINE_TABLE, matched)
  }
}

function checkAccounting({ tree, findings }: Checking, node: number): Matched | undefined {
  const code = codeOf(tree, node)
  if (code === OBJECT) return matchFields(tree, node, ACCOUNTING_TABLE, findings)
  findings.at(code === NULL ? 'field-null' : 'accounting-not-object', node)
  return undefined
}

const MOST_BYTES = 16 * 1024
/** Prevents one long description from displacing the other lines. */
const MOST_PER_VALUE = 1_000

export interface SearchText {
  /** @returns false when the index text is full */
  take(table: FieldTable, matched: Matched): boolean
  text(): string
}

export function createSearchText(tree: JsonTree): SearchText {
  let text = ''
  return {
    take(table, matched) {
      for (const slot of table.searched) {
        const node = matched[slot] ?? -1
        if (node < 0) continue
        const code = codeOf(tree, node)
        const value = code === STRING ? stringOf(tree, node) : code === NUMBER ? sourceOf(tree, node) : ''
        if (value === '') continue
        if (text.length > MOST_BYTES) return false
        text += text === '' ? value.slice(0, MOST_PER_VALUE) : `\n${value.slice(0, MOST_PER_VALUE)}`
      }
      return text.length <= MOST_BYTES
    },
    text: () => bounded(text),
  }
}

function bounded(text: string): string {
  const clean = storable(text)
  if (clean.length * 3 <= MOST_BYTES) return clean
  const { read } = new TextEncoder().encodeInto(clean, new Uint8Array(MOST_BYTES))
  return clean.slice(0, read)
}
