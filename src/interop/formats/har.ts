import type { Header } from '#contract/delivery.ts'
import { exactText } from '#core/copy/copy.ts'
import { bodyMembers, deliveryRecord, type MaskedDelivery, utc } from '../records.ts'
import { type Format, urlOf } from './format.ts'

const values = (headers: readonly Header[]) => headers.map(({ name, value }) => ({ name, value }))
const typeOf = (headers: readonly Header[]): string =>
  headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? ''

function queryOf(target: string) {
  const [, query = ''] = /\?([^#]*)/.exec(target) ?? []
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }))
}

/** A cookie list is optional in content, so it stays empty: the headers have every cookie as received. */
const COOKIES: readonly never[] = []

function entryOf(delivery: MaskedDelivery, base: string | null) {
  const { detail, body } = delivery
  const { answered } = detail
  const answer = answered ? Buffer.from(answered.bodyBase64, 'base64') : Buffer.alloc(0)
  const answerText = exactText(answer)
  const receive = detail.receivingUs / 1_000
  const time = Math.max(receive, (detail.tookUs ?? 0) / 1_000)
  const members = bodyMembers(delivery)
  const record = deliveryRecord(delivery)
  return {
    startedDateTime: utc(detail.receivedAt),
    time,
    request: {
      method: detail.method,
      url: urlOf(delivery, base),
      httpVersion: `HTTP/${detail.httpVersion}`,
      cookies: COOKIES,
      headers: values(detail.headers),
      queryString: queryOf(detail.url),
      ...(body.length > 0
        ? {
            postData: {
              mimeType: typeOf(detail.headers),
              // HAR has no encoding for the bodies of requests; members of one's own begin with "_".
              ...('bodyBase64' in members
                ? { text: members.bodyBase64, _encoding: 'base64' }
                : { text: members.body ?? '' }),
            },
          }
        : {}),
      headersSize: -1,
      bodySize: body.length,
    },
    response: {
      status: detail.answer ?? 0,
      statusText: '',
      httpVersion: `HTTP/${detail.httpVersion}`,
      cookies: COOKIES,
      headers: values(answered?.headers ?? []),
      content: {
        size: answer.length,
        mimeType: typeOf(answered?.headers ?? []),
        ...(answerText === null
          ? { text: answer.toString('base64'), encoding: 'base64' }
          : { text: answerText }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: answer.length,
    },
    cache: {},
    timings: { send: receive, wait: Math.max(0, time - receive), receive: 0 },
    ...(detail.remotePort > 0 ? { connection: String(detail.remotePort) } : {}),
    _acuse: record,
  }
}

/** HTTP Archive 1.2. `_acuse` has what HAR has no member for, such as the exact request target. */
export const har: Format = {
  extension: 'har',
  mediaType: 'application/json',
  async *write(deliveries, { version, base }) {
    const creator = JSON.stringify({ name: 'Acuse', version })
    yield `{"log":{"version":"1.2","creator":${creator},"entries":[`
    let between = '\n'
    for await (const delivery of deliveries) {
      yield `${between}${JSON.stringify(entryOf(delivery, base))}`
      between = ',\n'
    }
    yield '\n]}}\n'
  },
}
