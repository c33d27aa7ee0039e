import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { aUuid } from '../support/events.ts'
import { API_KEY, type House, house } from './reconcile-house.ts'

const ends: (() => Promise<void>)[] = []
let home: House
beforeAll(async () => {
  home = await house((end) => void ends.push(end))
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

const RANGE = ['--from', '2026-10-01', '--to', '2026-10-31']

interface Item {
  readonly DocumentId: string
  readonly Number: string
  readonly IssuedAt: string
}
const item = (n: number, day = n): Item => ({
  DocumentId: aUuid(n),
  Number: `E31${String(n).padStart(10, '0')}`,
  IssuedAt: `2026-10-${String(day).padStart(2, '0')}T10:00:00-04:00`,
})
const page = (items: readonly Item[], hasMore = false, more: object = {}): string =>
  JSON.stringify({ items, count: items.length, hasMore, ...more })
const THREE = page([item(1), item(2), item(3)])

type Answer = (request: IncomingMessage, response: ServerResponse, nth: number) => void

/** Something that is not the service: it answers as the test says, and keeps what it was asked. */
async function standIn(answer: Answer): Promise<{ url: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    answer(request, response, asked.length)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const giving =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body)
/** The last answer stays. */
const inTurn =
  (...answers: readonly Answer[]): Answer =>
  (request, response, nth) =>
    (answers[nth - 1] ?? answers.at(-1))?.(request, response, nth)

/** The command line against it; the key is in nothing that it prints. */
async function reconcile(answer: Answer, ...more: readonly string[]) {
  const service = await standIn(answer)
  const { acuse } = home
  const outcome = await acuse(['reconcile', '--base-url', service.url, ...RANGE, '--json', ...more])
  expect(outcome.stdout + outcome.stderr).not.toContain(API_KEY)
  // What was made for the run alone is gone.
  expect(JSON.parse((await acuse(['connections', 'list', '--json'])).stdout)).toEqual({ connections: [] })
  const [result] = outcome.printed
  return { ...outcome, ...service, result }
}

describe('what passes is asked for again, and the result is whole', () => {
  const cut: Answer = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': THREE.length })
    response.write(THREE.slice(0, 40))
    setTimeout(() => response.destroy(), 10)
  }
  const reset: Answer = (request) => request.socket.resetAndDestroy()
  test.each<readonly [string, Answer]>([
    ['500', giving(500, '{"error":"busy"}')],
    ['429 with Retry-After', giving(429, '', { 'Retry-After': '1' })],
    ['a body that breaks off', cut],
    ['JSON that stops in the middle', giving(200, THREE.slice(0, 40))],
    ['a page of another program', giving(200, '<html>gateway</html>', { 'Content-Type': 'text/html' })],
    ['a connection that is reset', reset],
  ])('%s, once', async (_, answer) => {
    const { code, result, asked } = await reconcile(inTurn(answer, giving(200, THREE)))
    expect([code, result?.complete, result?.items, result?.counts.missing]).toEqual([1, true, 3, 3])
    // The last two ask for a date that the page showed, and for its first instant: whether the service lists both ends of a range.
    expect(asked).toHaveLength(4)
    expect(asked[1]?.url).toBe(asked[0]?.url)
  })
})

describe('what refuses is said with its own words: exit code 3, nothing compared, asked once', () => {
  test.each([401, 403, 400, 404])('%i', async (status) => {
    const { code, result, stderr, asked } = await reconcile(
      giving(status, JSON.stringify({ error: { message: 'llave desconocida' } })),
    )
    expect([code, result?.complete, result?.items, result?.rows]).toEqual([3, false, 0, []])
    expect(stderr).toContain(String(status))
    expect(stderr).toContain('llave desconocida')
    expect(asked).toHaveLength(1)
  })

  test('a redirect is reported and not followed: the key goes nowhere else', async () => {
    const elsewhere = await standIn(giving(200, THREE))
    const { code, stderr, result } = await reconcile(giving(302, '', { Location: `${elsewhere.url}/x` }))
    expect([code, result?.complete]).toEqual([3, false])
    expect(stderr).toContain(elsewhere.url)
    expect(elsewhere.asked).toEqual([])
  })

  test('a refusal after the first page: what was seen is compared, and the sweep is incomplete', async () => {
    const { code, result, stderr } = await reconcile(
      inTurn(giving(200, page([item(1), item(2)], true)), giving(401, '{}')),
      '--page-size',
      '2',
    )
    expect([code, result?.complete, result?.items, result?.counts.missing]).toEqual([3, false, 2, 2])
    expect(stderr).toContain('401')
  })
})

describe('what never ends is left, and said', () => {
  test('the same full page with hasMore for ever', async () => {
    const { code, result, asked } = await reconcile(giving(200, page([item(1, 5), item(2, 5)], true)))
    expect([code, result?.complete, result?.items]).toEqual([3, false, 2])
    expect(asked.length).toBeLessThan(100)
  })

  test('an empty page with hasMore for ever', async () => {
    const { code, result, asked, stderr } = await reconcile(giving(200, page([], true)))
    expect([code, result?.complete, result?.items, result?.rows]).toEqual([3, false, 0, []])
    expect(asked.length).toBeLessThan(5_000)
    expect(stderr.split('\n').length).toBeLessThan(10)
  })

  test('a treasury cursor that comes back', async () => {
    const cursor = { nextFrom: '2026-10-02T10:00:00-04:00', nextAfterDocumentId: aUuid(2) }
    const { code, result, asked, stderr } = await reconcile(
      giving(200, page([item(1), item(2)], true, cursor)),
      ...['--route', 'treasury'],
    )
    expect([code, result?.complete]).toEqual([3, false])
    expect(stderr).toMatch(/cursor/i)
    expect(asked).toHaveLength(2)
    expect(asked[1]?.url).toContain(`afterDocumentId=${aUuid(2)}`)
  })

  test('a page that is no page is told', async () => {
    const { code, result } = await reconcile(giving(200, '{"documents":[]}'))
    expect([code, result?.complete]).toEqual([3, false])
  })
})

describe('what is asked for', () => {
  test('the key in its header, both ends percent-encoded as whole days in the zone', async () => {
    const { asked } = await reconcile(giving(200, THREE), '--document-type-id', '31')
    const [first] = asked
    expect(first?.headers['x-api-key']).toBe(API_KEY)
    expect(first?.url).not.toContain('+')
    const { pathname, searchParams } = new URL(first?.url ?? '', 'http://x')
    expect(pathname).toBe('/api/v1/documents/accounting-sync')
    expect(Object.fromEntries(searchParams)).toEqual({
      from: '2026-10-01T00:00:00-04:00',
      to: '2026-10-31T23:59:59.999999-04:00',
      documentTypeId: '31',
      pageSize: '200',
    })
  })
})
