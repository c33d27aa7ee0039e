import i18next from 'i18next'
import type { DeliveryRow } from '#contract/delivery.ts'
import { localTime } from '@/shared/formats/local-time.ts'
import { api } from '@/shared/live/api.ts'
import { type CopyAs, useCopying } from '@/shared/live/layers.ts'
import { useChosen, useCursor } from '@/shared/live/pointing.ts'
import { useStatus } from '@/shared/live/status.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { type ColumnId, columnNamed, columnsOf, useVaried } from './columns.ts'
import { idsBetween, layoutNow, list } from './list.ts'

/** Prefixes that spreadsheets read as a formula, full-width forms included; they ignore leading quotes and blanks. */
const FORMULA = /^[\s'"\u{200b}\u{feff}]*[=+\-@|%\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}]/u

/** A cell as one line that is no formula: a spreadsheet must not compute a sender's text. */
function cell(value: string | number | Date | null): string {
  if (value === null) return ''
  // Date format that spreadsheets parse.
  if (value instanceof Date) return localTime(value.getTime()).replace('T', ' ')
  if (typeof value === 'number') return String(value)
  const line = value.replaceAll(/[\t\r\n\v\f\x85\u{2028}\u{2029}]+/gu, ' ')
  if (FORMULA.test(line)) return `'${line}`
  // An unescaped leading quote would swallow the following cells and lines up to the next quote.
  return line.startsWith('"') ? `"${line.replaceAll('"', '""')}"` : line
}

/** Rows as tab-separated lines without a header. Sizes are bytes, durations milliseconds. */
export const tsvOf = (rows: readonly DeliveryRow[], columns: readonly ColumnId[]): string[] =>
  rows.map((row) => columns.map((id) => cell(columnNamed(id)?.value(row) ?? null)).join('\t'))

/** Maximum deliveries and characters per copy: larger sets belong in a file. */
export const MOST_COPIED = 10_000
const MOST_TEXT = 32_000_000
const STEP = 500
/** Delay before a copy shows its progress. */
const SOON_MS = 300

async function chosenIds(): Promise<{ readonly ids: readonly number[]; readonly of: number }> {
  const { all, ids } = useChosen.getState()
  const { total, sort } = list.state()
  if (all) {
    const last = Math.max(0, total - MOST_COPIED)
    const read = (params: { readonly from: number; readonly limit: number }) =>
      api.call('deliveries.page', { ...list.asked(), ...params })
    return { ids: await idsBetween(total - 1, last, (at) => list.row(at)?.id, read), of: total }
  }
  const { cursor } = useCursor.getState()
  if (ids.size === 0) return { ids: cursor?.id ? [cursor.id] : [], of: 1 }
  const some = sort ? [...ids] : [...ids].sort((a, b) => b - a)
  return { ids: some.slice(0, MOST_COPIED), of: some.length }
}

function headings(columns: readonly ColumnId[]): string {
  const unit = (id: ColumnId) => columnNamed(id)?.unit
  return columns
    .map((id) => i18next.t(`column.${id}`, { ns: 'stream' }) + (unit(id) ? ` (${unit(id)})` : ''))
    .join('\t')
}

/** The receiver's address: a copied curl command sends the delivery there again. */
function receiverBase(): { base?: string } {
  const receiver = useStatus.getState().status?.receiver
  return receiver?.state === 'listening' ? { base: new URL(receiver.url).origin } : {}
}

/** Formats the next batch. @returns the number of ids processed */
async function written(
  ids: readonly number[],
  as: CopyAs,
  columns: readonly ColumnId[],
): Promise<{ readonly texts: readonly string[]; readonly taken: number; readonly tooLong: number }> {
  if (as === 'text') {
    const { rows } = await api.call('deliveries.rows', { ids })
    return { texts: tsvOf(rows, columns), taken: ids.length, tooLong: 0 }
  }
  if (as === 'json' || as === 'ndjson') return api.call('deliveries.copy', { ids, as: 'json' })
  return api.call('deliveries.copy', {
    ids,
    as: 'curl',
    ...receiverBase(),
    ...(as === 'curl-secrets' ? { reveal: true } : {}),
  })
}

function together(texts: readonly string[], as: CopyAs, columns: readonly ColumnId[]): string {
  switch (as) {
    case 'text':
      return [headings(columns), ...texts, ''].join('\n')
    case 'json':
      return `[\n${texts.join(',\n')}\n]\n`
    case 'ndjson':
      return `${texts.join('\n')}\n`
    default:
      return `${texts.join('\n\n')}\n`
  }
}

/** Copies the selection or the cursor row and shows the progress. @param only one delivery, regardless of the cursor */
export async function copyChosen(as: CopyAs, only?: number): Promise<void> {
  const turn = useCopying.getState().begin()
  const { tell } = useCopying.getState()
  const wanted = () => useCopying.getState().turn === turn
  const columns = columnsOf(layoutNow(), useVaried.getState().varied)
  const texts: string[] = []
  const began = performance.now()
  try {
    const { ids, of } = only === undefined ? await chosenIds() : { ids: [only], of: 1 }
    if (ids.length === 0) return
    let length = 0
    let tooLong = 0
    for (let at = 0; at < ids.length && length < MOST_TEXT && wanted(); ) {
      const next = await written(ids.slice(at, at + STEP), as, columns)
      for (const text of next.texts) length += text.length
      texts.push(...next.texts)
      at += next.taken
      tooLong += next.tooLong
      if (performance.now() - began > SOON_MS) tell(turn, { state: 'going', done: at, of: ids.length })
    }
    if (!wanted()) return
    await api.copy(together(texts, as, columns)).catch(() => tell(turn, { state: 'failed', refusal: null }))
    if (useCopying.getState().now?.state !== 'failed')
      tell(turn, { state: 'done', as, count: texts.length, of, tooLong })
  } catch (error) {
    tell(turn, { state: 'failed', refusal: refusalOf(error) })
  }
}
