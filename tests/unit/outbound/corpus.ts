import { gzipSync } from 'node:zlib'
import type { Body, CapturedRequest } from '#core/replay/ports.ts'
import { bodyOf } from '#core/replay/request.ts'
import { seeded } from '../../support/random.ts'
import { words } from '../../support/words.ts'

export interface OddRequest extends CapturedRequest {
  readonly name: string
}

const random = seeded(20261)
const below = (bound: number): number => Math.floor(random() * bound)
const binary = (size: number): Buffer => Buffer.from(Uint8Array.from({ length: size }, () => below(256)))
/** UTF-8 bytes as a latin-1 text, Node's form of header values. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')

type Odd = Partial<Pick<CapturedRequest, 'method' | 'url' | 'headers' | 'body'>>
const made: OddRequest[] = []
function odd(name: string, { method = 'POST', url = '/hook', headers, body }: Odd): void {
  const content = body ?? bodyOf(Buffer.from('{}'))
  const own = headers ?? ['Host', 'acuse.test', 'Content-Length', String(content.size)]
  made.push({ name, id: made.length + 1, receivedAt: 0, method, url, headers: own, body: content })
}
const withHeaders = (...headers: string[]) => ({
  headers: ['Host', 'acuse.test', ...headers, 'Content-Length', '2'],
})
const withBody = (content: Uint8Array, ...headers: string[]) => ({
  headers: ['Host', 'acuse.test', ...headers, 'Content-Length', String(content.length)],
  body: bodyOf(content),
})

for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND', 'REPORT', 'M-SEARCH'])
  odd(`${method} with a body`, { method })
for (const method of ['GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PURGE', 'TRACE'])
  odd(`${method} without body or length`, { method, headers: ['Host', 'a'], body: bodyOf(Buffer.alloc(0)) })
odd('POST with length 0', withBody(Buffer.alloc(0)))

const targets = [
  ...words`/ /? /?? /?a=1&a=2&A=3 /a?b?c /a;p=1/b /% /%zz /%00 /%2e%2e/%2F /a//b///c /?= /?&& /:80 /@user`,
  ...['/a/../b', '/./.', '/..', '/\\', '/{}|^`', '/"<>', "/~*'()!", '/a+b%20c', '//other.test/x', '/[::1]'],
  ...['/\xe9', '/\xff\x80', `/${bytesOf('señal/日本')}?${bytesOf('ü')}`, '/a#fragment', '/?q=http://x/../y'],
  ...['/a/./../../b?../c', `/${'long/'.repeat(1_600)}`, `/?${'q='.repeat(4_000)}`],
  ...['http://proxied.test/through/a?proxy', 'HTTP://UPPER.test:81', 'http://proxied.test?only=query', '*'],
]
for (const url of targets) odd(`target ${url.slice(0, 40)}`, { url })

for (const name of words`X-Request-Id x-request-id X-REQUEST-ID x-ReQuEsT-iD !#$%&'*+-.^_${'`'}|~09 A 1`)
  odd(`name ${name}`, withHeaders(name, 'value'))
for (const name of ['hOST', 'HOST', 'host']) odd(`${name}`, { headers: [name, 'x', 'Content-Length', '2'] })
for (const name of ['content-length', 'CONTENT-LENGTH', 'cOnTeNt-LeNgTh'])
  odd(`${name}`, { headers: ['Host', 'x', name, '2', 'After', '1'] })
for (const name of words`Content-Disposition Date Content-Encoding Via Cookie Set-Cookie Age Range`)
  odd(
    `duplicates of ${name}`,
    withHeaders(name, 'a=1', 'Between', 'x', name.toLowerCase(), 'b=2', name, 'a=1'),
  )

const values = [
  ...words`"quo\\"ted" ; chunked close 0 -1 %0d%0a \x80 \xff (comment) =?utf-8?q?x?=`,
  ...['', ' ', 'a\tb', 'a  b', 'a, b,, c', 'ni\xf1o \xa9', '\xa0nbsp\xa0'],
  ...[bytesOf('señal 日本 🎉'), 'x'.repeat(60_000)],
]
for (const value of values) odd(`value ${JSON.stringify(value.slice(0, 30))}`, withHeaders('X-Odd', value))

const hopByHop = [
  ...words`Connection keep-alive Connection close Keep-Alive timeout=5 TE trailers Proxy-Connection keep-alive Trailer X-Sum`,
  ...words`Proxy-Authenticate Basic Upgrade h2c Expect 100-continue eXpEcT 100-CONTINUE te gzip`,
  ...['Connection', '', 'Proxy-Authorization', 'Basic eDp5'],
]
for (let i = 0; i < hopByHop.length; i += 2)
  odd(`hop by hop ${hopByHop[i]}`, withHeaders('A', '1', hopByHop[i] ?? '', hopByHop[i + 1] ?? '', 'B', '2'))
odd(
  'Connection that names others',
  withHeaders('X-Hop', '1', 'Connection', 'close, X-Hop ,x-HIP', 'X-Hip', '2', 'X-Hop', '3'),
)
odd(
  'Connection twice',
  withHeaders('Connection', 'One', 'one', '1', 'Two', '2', 'CONNECTION', 'two', 'Three', '3'),
)
odd('Connection that names Host and length', withHeaders('Connection', 'host, content-length'))

for (const size of [1, 2, 255, 16_383, 16_384, 16_385, 65_535, 65_536, 65_537, 300_000])
  odd(`${size} random bytes`, withBody(binary(size)))
odd('all bytes', withBody(Buffer.from(Uint8Array.from({ length: 256 }, (_, i) => i))))
odd('only NUL', withBody(Buffer.alloc(100)))
odd('only line ends', withBody(Buffer.from('\r\n\r\n'.repeat(50))))
odd('what looks like another request', withBody(Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')))
odd('gzip', withBody(gzipSync('{"Event":"x"}'), 'Content-Encoding', 'gzip'))
odd('a coding that it is not', withBody(Buffer.from('{}'), 'Content-Encoding', 'br, zstd'))
odd(
  'UTF-16 with its mark',
  withBody(Buffer.from('\ufeff{}', 'utf16le'), 'Content-Type', 'application/json; charset=utf-16'),
)
odd('UTF-8 with its mark', withBody(Buffer.from('\ufeff{"ñ":"🎉"}')))
odd('broken UTF-8', withBody(Buffer.from([0x7b, 0xc3, 0x28, 0xff, 0xfe, 0x7d])))
odd('a length that was wrong', { headers: ['Host', 'x', 'Content-Length', '99'] })
odd('two lengths', { headers: ['Content-Length', '2', 'Host', 'x', 'content-length', '2'] })
odd('two hosts', { headers: ['Host', 'x', 'A', '1', 'host', 'y', 'Content-Length', '2'] })
odd('no host', { headers: ['A', '1', 'Content-Length', '2'] })
odd('no header at all', { method: 'GET', headers: [], body: bodyOf(Buffer.alloc(0)) })
for (const coding of ['chunked', 'gzip, chunked', 'Chunked']) {
  odd(`came ${coding}`, { headers: ['Host', 'x', 'Transfer-Encoding', coding, 'After', '1'] })
  odd(`came ${coding}, empty`, {
    headers: ['transfer-encoding', coding, 'Host', 'x'],
    body: bodyOf(Buffer.alloc(0)),
  })
}
odd(
  '3,000 headers',
  withHeaders(...Array.from({ length: 6_000 }, (_, i) => (i % 2 ? `v${i}` : `X-H${i % 700}`))),
)
odd('25 MB in pieces', { headers: ['Host', 'x', 'Content-Length', '26214400'], body: pieced(400, 65_536) })
odd('pieces of odd sizes', { headers: ['Host', 'x', 'Content-Length', '99999'], body: pieced(9, 11_111) })

/** Names for unusual header lists: in any order, case and number. */
const NAMES = words`Accept User-Agent X-A X-B Cookie Content-Type Date Host Content-Length Via`
while (made.length < 240) {
  const headers: string[] = []
  for (let i = 0; i < 2 + below(14); i++) {
    const name = NAMES[below(NAMES.length)] ?? ''
    const letters = [...name].map((letter) => (below(2) ? letter.toUpperCase() : letter.toLowerCase()))
    headers.push(letters.join(''), values[below(values.length)]?.trim() ?? '')
  }
  odd(`any headers ${made.length}`, { headers, body: bodyOf(binary(below(200))) })
}

function pieced(count: number, size: number): Body {
  const piece = binary(size)
  return {
    size: count * size,
    *pieces() {
      for (let i = 0; i < count; i++) yield piece
    },
  }
}

/** More than 200 requests that a careless sender would change; the same in every run. */
export const CORPUS: readonly OddRequest[] = made
