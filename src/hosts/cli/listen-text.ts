import type { DeliveryDetail, DeliveryRow, Verdict } from '#contract/delivery.ts'
import type { AttemptRow } from '#contract/replay.ts'
import { shadeOf, took } from './attempt-text.ts'
import type { Paint, Shade } from './colours.ts'
import { findingLine } from './finding-line.ts'
import { clock, findingRecord } from './records.ts'
import { visible, visibleLines } from './visible.ts'

const SHADES: Readonly<Record<Verdict, Shade | null>> = {
  valid: 'good',
  noted: null,
  warning: 'odd',
  invalid: 'bad',
  unreadable: 'bad',
}
/** Verdicts whose findings a person wants to see at once. */
export const TELLING: ReadonlySet<Verdict | null> = new Set(['warning', 'invalid', 'unreadable'])
/** More of them push the other events off the screen; `acuse show` has all. */
const FINDINGS_SHOWN = 10

/** What became of an event at the forward's target. */
export type Fate =
  | { readonly type: 'attempt'; readonly attempt: AttemptRow }
  /** Still in the queue. */
  | { readonly type: 'waiting' }
  | { readonly type: 'dropped' }
  | { readonly type: 'never'; readonly why: string }
  /** Nothing is forwarded: what the service got is told instead. */
  | { readonly type: 'printed' }

/** An event in one line: when, which, kind, document, verdict, what the target answered and how long it took. */
export function eventLine(row: DeliveryRow, fate: Fate, paint: Paint): string {
  const facts = [
    clock(row.receivedAt),
    `#${row.id}`.padEnd(7),
    cut(row.event ?? `${row.method} ${row.url}`, 26),
    cut(row.number ?? row.documentId ?? '–', 20),
    paint(row.verdict && SHADES[row.verdict], (row.verdict ?? '–').padEnd(10)),
    fateText(row, fate, paint),
  ]
  return `${facts.join('  ').trimEnd()}\n`
}

/** What a target answered to an event whose line had to be printed before. */
export function lateLine(attempt: AttemptRow, paint: Paint): string {
  const again = attempt.again ? '  (may have arrived before)' : ''
  return `${clock(attempt.startedAt)}  ${`#${attempt.deliveryId}`.padEnd(7)}  ${answerText(attempt, paint)}${again}\n`
}

function fateText(row: DeliveryRow, fate: Fate, paint: Paint): string {
  switch (fate.type) {
    case 'attempt':
      return answerText(fate.attempt, paint)
    case 'waiting':
      return paint('faint', '→ waiting')
    case 'dropped':
      return paint('odd', '→ dropped')
    case 'never':
      return paint('faint', `not forwarded (${fate.why})`)
    case 'printed':
      return paint('faint', `answered ${row.answer ?? 'nothing'}`)
  }
}

function answerText(attempt: AttemptRow, paint: Paint): string {
  const came = attempt.status === null ? (attempt.error?.code ?? attempt.state) : String(attempt.status)
  return `→ ${paint(shadeOf(attempt), came)}  ${took(attempt.tookUs)}`.trimEnd()
}

/** The findings of a delivery, indented beneath its line. */
export function findingLines(detail: DeliveryDetail): string {
  // Notes are no reason to look at an event now.
  const shown = detail.findingList.filter(({ level }) => level !== 'note').slice(0, FINDINGS_SHOWN)
  const more = detail.findings - shown.length
  return [
    ...shown.map((finding) => `    ${findingLine(findingRecord(finding))}\n`),
    ...(more > 0 ? [`    … and ${more} more: acuse show ${detail.id}\n`] : []),
  ].join('')
}

/** A body, indented beneath its line. */
export function bodyLines(body: string): string {
  const lines = visibleLines(body).replace(/\n$/, '').split('\n')
  return lines.map((line) => `    ${line}\n`).join('')
}

/** Why a delivery is never forwarded, whatever the filter says; null when it is. */
export function neverForwarded({ rejected, malformed, marks }: DeliveryRow): string | null {
  if (rejected) return 'rejected'
  if (malformed !== null) return malformed
  return marks.includes('replay') ? 'replay' : null
}

function cut(text: string, width: number): string {
  const shown = visible(text)
  return (shown.length > width ? `${shown.slice(0, width - 1)}…` : shown).padEnd(width)
}
