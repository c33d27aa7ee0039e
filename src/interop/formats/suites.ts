import { exactText } from '#core/copy/copy.ts'
import { type MaskedDelivery, utc } from '../records.ts'
import { shown } from '../text.ts'
import { each, type Format, ownHeaders } from './format.ts'

const titleOf = ({ detail }: MaskedDelivery): string =>
  `${detail.id} ${shown(detail.event ?? `${detail.method} ${detail.url}`)}`.slice(0, 200)

const VARIABLE = /\{\{/g
/** Postman would replace `{{name}}`; a word joiner keeps the braces apart in headers and texts. */
const literal = (text: string): string => text.replace(VARIABLE, '{\u{2060}{')

function itemOf(delivery: MaskedDelivery) {
  const { detail, body, bodyState } = delivery
  const text = exactText(body)
  const [target = '', ...hash] = detail.url.split('#')
  const [path = '', ...query] = target.split('?')
  const notes = [
    `Received ${utc(detail.receivedAt)} as delivery ${detail.id}.`,
    ...(text === null
      ? [
          'The body is binary, in base64 here: Postman cannot hold such a body, so choose a file to send it exactly.',
        ]
      : []),
    ...(bodyState === 'left-out' ? ['The body is left out: it cannot be read, so it cannot be masked.'] : []),
  ]
  return {
    name: titleOf(delivery),
    request: {
      description: notes.join(' '),
      method: detail.method,
      header: ownHeaders(delivery).map(({ name, value }) => ({ key: literal(name), value: literal(value) })),
      url: {
        raw: `{{baseUrl}}${literal(detail.url)}`,
        host: ['{{baseUrl}}'],
        path: path.replace(/^\//, '').split('/').map(literal),
        ...(query.length > 0
          ? {
              query: query
                .join('?')
                .split('&')
                .map((one) => {
                  const [key = '', ...value] = one.split('=')
                  return { key: literal(key), value: value.length > 0 ? literal(value.join('=')) : null }
                }),
            }
          : {}),
        // In the query Postman would write # as %23.
        ...(hash.length > 0 ? { hash: literal(hash.join('#')) } : {}),
      },
      ...(body.length === 0
        ? {}
        : {
            body: { mode: 'raw', raw: text === null ? Buffer.from(body).toString('base64') : literal(text) },
          }),
    },
    response: [],
  }
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** A collection of Postman, version 2.1; the variable `baseUrl` is the origin to send to. */
export const postman: Format = {
  extension: 'postman_collection.json',
  mediaType: 'application/json',
  write: each(
    (delivery, _, index) => `${index === 0 ? '' : ',\n'}${JSON.stringify(itemOf(delivery))}`,
    ({ createdAt }) =>
      `{"info":${JSON.stringify({ name: `Acuse ${new Date(createdAt).toISOString().slice(0, 10)}`, schema: SCHEMA })},"item":[\n`,
    ({ base }) =>
      `\n],"variable":${JSON.stringify([{ key: 'baseUrl', value: base ?? 'http://127.0.0.1:3000' }])}}\n`,
  ),
}

/** Self-contained, since it runs in projects without Acuse. */
const FIXTURE = `import assert from 'node:assert/strict'
import { request } from 'node:http'
import { request as requestTls } from 'node:https'
import { test } from 'node:test'

/** Where the handler under test listens. */
const HANDLER = process.env.HANDLER_URL ?? BASE

/** Sends one delivery byte for byte and resolves with the handler's answer. */
function deliver({ method, url, headers, body }) {
  const to = new URL(HANDLER)
  const path = to.pathname.replace(/\\/$/, '') + url
  return new Promise((resolve, reject) => {
    const send = to.protocol === 'https:' ? requestTls : request
    const sent = send({ host: to.hostname, port: to.port, method, path, setHost: false }, (answer) => {
      const parts = []
      answer.on('data', (part) => parts.push(part))
      answer.on('end', () => resolve({ status: answer.statusCode, body: Buffer.concat(parts).toString() }))
    })
    sent.on('error', reject)
    sent.setHeader('Host', to.host)
    const lists = new Map()
    for (const [name, value] of headers) {
      const known = lists.get(name.toLowerCase()) ?? { name, values: [] }
      known.values.push(value)
      lists.set(name.toLowerCase(), known)
    }
    for (const { name, values } of lists.values()) sent.setHeader(name, values.length > 1 ? values : values[0])
    if (body.length > 0) sent.setHeader('Content-Length', body.length)
    sent.end(body)
  })
}

const accepts = (name, delivery) =>
  test(name, async () => {
    const { status, body } = await deliver(delivery)
    assert.ok(status >= 200 && status < 300, \`the handler answered \${status}: \${body.slice(0, 500)}\`)
  })
`

function caseOf(delivery: MaskedDelivery): string {
  const { detail, body, bodyState } = delivery
  if (detail.malformed !== null)
    return `\n// Delivery ${detail.id} is left out: it did not arrive whole (${detail.malformed}).\n`
  const text = exactText(body)
  const content =
    text === null
      ? `Buffer.from(${JSON.stringify(Buffer.from(body).toString('base64'))}, 'base64')`
      : `Buffer.from(${JSON.stringify(text)})`
  const note =
    bodyState === 'left-out' ? '\n  // The body is left out: it cannot be read, so it cannot be masked.' : ''
  return `
accepts(${JSON.stringify(titleOf(delivery))}, {${note}
  method: ${JSON.stringify(detail.method)},
  url: ${JSON.stringify(detail.url)},
  headers: ${JSON.stringify(ownHeaders(delivery).map(({ name, value }) => [name, value]))},
  body: ${content},
})
`
}

/** A test file for node:test: one test per delivery, which passes when the handler answers with a 2xx. */
export const fixture: Format = {
  extension: 'test.mjs',
  mediaType: 'text/javascript',
  write: each(
    (delivery) => caseOf(delivery),
    ({ base }) => FIXTURE.replace('BASE', JSON.stringify(base ?? 'http://127.0.0.1:3000')),
  ),
}
