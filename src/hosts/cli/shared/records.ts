import type { DeliveryDetail, DeliveryRow, Finding, Header } from '#contract/delivery.ts'
import { shownValue } from '#contract/headers.ts'
import { findingMessage } from '#core/checks/messages.ts'
import type { ValidatedFinding } from '#core/checks/validate.ts'
import { amountText } from '#core/json/money.ts'
import { eventRecord } from '#interop/records.ts'
import { defined } from './command.ts'
import type { Reached } from './reach.ts'
import { visible } from './text.ts'

export { eventRecord, utc } from '#interop/records.ts'

export function findingLine({ level, code, pointer, message, line, column }: ValidatedFinding): string {
  const place = line === undefined ? '' : `${line}:${column ?? 1}  `
  return visible(`${place}${level}  ${pointer || '(whole body)'}  ${message}  [${code}]`)
}

/** Formats a document's total with all its digits; adds the currency unless it is DOP. */
export function total(document: DeliveryRow['document']): string {
  const { total: amount, currency } = document ?? {}
  if (amount == null) return '–'
  return currency == null || currency === 'DOP'
    ? amountText(amount, 'en')
    : `${amountText(amount, 'en')} ${currency}`
}

export function findingRecord(finding: Finding): ValidatedFinding {
  const { level, code, pointer, line, column } = finding
  return { level, code, pointer, message: findingMessage(finding, 'en'), ...defined({ line, column }) }
}

/** A delivery as `acuse show --json` prints it, without the body, which may be too long to hold in memory. */
export function detailRecord(detail: DeliveryDetail) {
  return {
    ...eventRecord(detail),
    note: detail.noteText?.text ?? null,
    malformed: detail.malformed,
    httpVersion: detail.httpVersion,
    remoteAddress: detail.remoteAddress,
    headers: pairs(detail.headers),
    trailers: pairs(detail.trailers),
    findings: detail.findingList.map(findingRecord),
    answer:
      detail.answer === null
        ? null
        : {
            status: detail.answer,
            headers: pairs(detail.answered?.headers ?? []),
            bodyBase64: detail.answered?.bodyBase64 ?? '',
          },
  }
}

/** Bytes of a body that a screen shows. */
const SHOWN = 64 * 1_024

/** @returns the first bytes of a body, decoded where possible, and the number of bytes beyond them; not positive when there are none */
export async function shownBody(call: Reached['call'], id: number, reveal = false) {
  const slice = { id, from: 0, length: SHOWN, reveal }
  const decoded = await call('deliveries.body', { ...slice, view: 'decoded' })
  const { bytesBase64, total } =
    decoded.problem === null ? decoded : await call('deliveries.body', { ...slice, view: 'raw' })
  return { text: Buffer.from(bytesBase64, 'base64').toString(), more: total - SHOWN }
}

const pairs = (headers: readonly Header[]) => headers.map((one) => [one.name, shownValue(one)])

/** @param micros microseconds since the epoch @returns local date and time with milliseconds */
export function local(micros: number): string {
  const at = new Date(micros / 1_000)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock(micros)}`
}

/** @param micros microseconds since the epoch @returns local time with milliseconds, for live output */
export function clock(micros: number): string {
  const at = new Date(micros / 1_000)
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
  return `${time}.${String(at.getMilliseconds()).padStart(3, '0')}`
}

const two = (value: number) => String(value).padStart(2, '0')
