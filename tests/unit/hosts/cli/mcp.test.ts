import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { READING } from '#hosts/cli/mcp/reading.ts'
import { MOST_ANSWER } from '#hosts/cli/mcp/tool.ts'
import { WRITING } from '#hosts/cli/mcp/writing.ts'
import { agent, conformance, withToken } from '../../../support/agent.ts'
import { cliHost } from '../../../support/cli-host.ts'
import { startCli } from '../../../support/cli-process.ts'
import { aLine, anEvent, aUuid } from '../../../support/events.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { words } from '../../../support/words.ts'

const { acuse, host, json, post } = cliHost()
const folder = () => host().dataDir
const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name).toSorted()

test('an agent starts the sandbox, triggers an event that breaks a rule, and reads its verdict, finding and rule', async () => {
  const { call, raw } = await agent(folder(), ['--allow-write'])
  expect(await call('start_sandbox', { port: 0 })).toMatchObject({ running: true })
  const given = { kind: 'dgii.rechazado', set: { '/data/StatusId': 5 } }
  expect(await call('trigger_event', given)).toMatchObject({ events: 1 })
  const filter = 'kind:dgii.rechazado verdict:invalid'
  const [found] = await vi.waitFor(
    async () => {
      const { deliveries } = await call('search_deliveries', { filter })
      expect(deliveries).toHaveLength(1)
      return deliveries
    },
    { timeout: 20_000, interval: 100 },
  )
  const { texts } = await raw('read_delivery', { id: found.id })
  const { verdict, findingList } = JSON.parse(texts[0] ?? '')
  expect([verdict, findingList]).toEqual([
    'invalid',
    [
      expect.objectContaining({
        level: 'error',
        code: 'dgii-status',
        pointer: '/data/StatusId',
        message: 'StatusId must be 6 in dgii.rechazado, not 5.',
        rule: 'specification: States and transitions',
      }),
    ],
  ])
  expect(JSON.parse(texts[1] ?? '').data.StatusId).toBe(5)
  const { fields, statusId } = await call('read_kind', { kind: 'dgii.rechazado' })
  expect([statusId, names(fields)]).toEqual([6, ['DocumentId', 'StatusId']])
  const body = JSON.stringify(anEvent('dgii.rechazado'))
  expect(await call('check_body', { body })).toMatchObject({ verdict: 'valid', findings: [] })
})

test('tools that write exist only with --allow-write, and act', async () => {
  const reader = await agent(folder())
  expect(names((await reader.client.listTools()).tools)).toEqual(names(READING))
  await expect(reader.raw('annotate_deliveries', { ids: [1], note: 'x' })).rejects.toThrow(
    'annotate_deliveries',
  )

  const { client, call, refusal } = await agent(folder(), ['--allow-write'])
  const { tools } = await client.listTools()
  expect(names(tools)).toEqual(names([...READING, ...WRITING]))
  for (const { name, annotations } of tools)
    expect([name, annotations?.readOnlyHint]).toEqual([name, READING.some((one) => one.name === name)])

  await post('/annotated')
  const { deliveries } = await call('search_deliveries', { limit: 1 })
  const { id } = deliveries[0]
  expect(await call('annotate_deliveries', { ids: [id], addTags: ['agent'] })).toEqual({ changed: 1 })
  expect((await call('search_deliveries', { filter: 'tag:agent' })).deliveries[0].id).toBe(id)
  const effect = { type: 'status', status: 503 }
  expect((await call('add_fault', { effect, next: 1 })).faults).toHaveLength(1)
  expect((await post('/faulty')).status).toBe(503)
  expect((await call('remove_faults')).faults).toEqual([])
  // Nothing listens on port 1 of this machine; the attempt is made and reported.
  const { attempts } = await call('replay_delivery', { delivery: id, target: 'http://127.0.0.1:1/' })
  expect(attempts).toEqual([expect.objectContaining({ ok: false, error: expect.any(String) })])
  expect(await refusal('replay_delivery', { delivery: id, target: 'https://example.com/' })).toContain(
    'saved target',
  )
})

test('what a call gets wrong is refused with advice', { tags: 'long' }, async () => {
  const { refusal } = await agent(folder())
  expect(await refusal('search_deliveries', { filter: 'kind:(' })).toContain('column')
  expect(await refusal('search_deliveries', { filters: '' })).toContain('filters')
  expect(await refusal('read_delivery', { id: 999_999 })).toContain('999999')
  expect(await refusal('read_document', { key: 'none' })).toContain('search_documents')
  expect(await refusal('read_kind', { kind: 'factura.create' })).toContain('none of the 28 kinds')
  const elsewhere = await agent(tempFolder())
  expect(await elsewhere.refusal('list_faults')).toContain('acuse serve')
  expect((await elsewhere.call('search_deliveries')).deliveries).toEqual([])
})

test('a sweep: its counts, what was missed by which rule, and pages of its documents', {
  tags: 'long',
}, async () => {
  const { call, refusal } = await agent(folder(), ['--allow-write'])
  const { url } = await call('start_sandbox', { port: 0 })
  await call('trigger_event', { kind: 'factura.created', count: 2 })
  await vi.waitFor(async () => expect((await call('count_deliveries')).total).toBeGreaterThan(1), {
    timeout: 20_000,
    interval: 100,
  })
  await acuse(words`prune --keep 1`)
  const { key } = await json(words`sandbox keys issue`)
  const account = words`connections set erp --base-url ${url} --api-key-env KEY --issued-hours 0 --returned-minutes 0`
  await json(account, { env: { KEY: key } })
  const printed = await json(
    words`reconcile --connection erp --from 2020-01-01 --to 2030-01-01 --fail-on differs`,
  )
  const [{ id, counts }] = await call('list_sweeps')
  expect(printed.counts).toMatchObject({ missing: counts.missing })
  const asked = { sweep: id, classes: ['missing'], limit: 1 }
  const { rows, total, ...facts } = await call('read_sweep', asked)
  expect(facts).toMatchObject({ id, state: 'complete', counts, next: total > 1 ? 1 : null })
  expect(rows).toMatchObject([
    {
      class: 'missing',
      rules: expect.arrayContaining(['no-created']),
      party: expect.stringMatching(/^masked-/),
    },
  ])
  expect(await refusal('read_sweep', { sweep: 99 })).toContain('99')
})

test('answers are bounded and paged', { tags: 'long' }, async () => {
  const Lines = Array.from({ length: 3_000 }, () => aLine())
  await post('/big', JSON.stringify(anEvent('factura.created', { data: { Lines } })))
  await Promise.all(Array.from({ length: 60 }, (_, i) => post(`/paged/${i}`)))
  const { raw, call } = await agent(folder())
  const seen = new Set<number>()
  for (let before: number | null = null, rounds = 0; rounds < 20; rounds++) {
    const { texts } = await raw('search_deliveries', { filter: 'endpoint:default', before, limit: 25 })
    expect(texts.join('').length).toBeLessThan(MOST_ANSWER)
    const page = JSON.parse(texts[0] ?? '')
    for (const { id } of page.deliveries) seen.add(id)
    before = page.next
    if (before === null) break
  }
  const { total } = await call('count_deliveries')
  expect(seen.size).toBe(total)
  const { deliveries } = await call('search_deliveries', { filter: 'size:>1mb' })
  const { texts, refused } = await raw('read_delivery', { id: deliveries[0].id })
  expect([refused, texts.join('').length < MOST_ANSWER]).toEqual([false, true])
  expect(texts[1]).toContain('more elements')
})

test('no answer holds a credential or a personal value: 60 canaries in headers, query, JSON at depth, base64 and gzip', async () => {
  const canaries: string[] = []
  const canary = (make = (n: number) => `canary-${n}-x7`): string => {
    const made = make(canaries.length + 10)
    canaries.push(made)
    return made
  }
  const many = (count: number, make?: (n: number) => string) =>
    Array.from({ length: count }, () => canary(make))
  const [email, phone, taxId] = [
    (n: number) => `persona${n}@canarias.example`,
    (n: number) => `809-555-01${n}`,
    (n: number) => `001-12345${n}-7`,
  ]
  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
  const personal = () => ({
    CustomerName: canary(),
    CustomerTaxId: canary(taxId),
    CustomerPhone: canary(phone),
    CustomerEmail: canary(email),
    CustomerAddress: canary(),
  })
  const known = personal()
  const deep = many(8).reduce<unknown>(
    (inner, value) => ({ password: value, more: [value, inner] }),
    canary(),
  )
  const data = {
    ...known,
    Channel: deep,
    Code: 12_345_678_901,
    Payload: base64({ LegalName: canary() }),
    [canary(email)]: 1,
    Lines: [
      aLine({ Description: `Para ${known.CustomerName}, ${canary(email)} o ${canary(phone)}` }),
      aLine({ Description: base64({ token: canary() }), Taxes: [{ Contact: canary() }] }),
    ],
    Accounting: canary(),
  }
  canaries.push('12345678901')
  const [a, b, c, d] = many(4)
  const query = `?token=${a}&q=${b}&email=${canary(email)}#${c}&=${d}`
  const headers = Object.fromEntries(
    many(12).map((value, i) => [`X-${['Token', 'Who', 'Trace'][i % 3]}-${i}`, value]),
  )
  const auth = { Authorization: `Bearer ${canary()}`, Cookie: `sid=${canary()}` }
  await post(`/c${query}`, JSON.stringify(anEvent('factura.created', { data })), { ...headers, ...auth })

  const zipped = gzipSync(
    JSON.stringify(anEvent('nota_credito.created', { data: { ...personal(), X: many(4) } })),
  )
  const sent = request(new URL('/gz', host().receiverUrl), {
    method: 'POST',
    headers: { 'Content-Encoding': 'gzip', 'Content-Length': zipped.length, 'X-Key': canary() },
  })
  await new Promise((resolve) =>
    sent.on('response', (answer) => answer.resume().on('end', resolve)).end(zipped),
  )

  await post('/text', `name=${canary()}&tel=${canary(phone)}`)
  await post('/cut', `{"Event":"factura.created","data":{"CustomerName":"${canary()}"`)
  await post(
    '/kind',
    JSON.stringify({ Event: canary((n) => `Señora ${n} Canaria`), Timestamp: canary(), data: canary() }),
  )
  const mine = { DocumentId: canary((n) => `Señor ${n} Canario`), StatusId: canary(email), Lines: canary() }
  await post('/rules', JSON.stringify(anEvent('factura.created', { data: mine })))
  expect(canaries.length).toBeGreaterThanOrEqual(60)

  const answering = createServer((_, response) => void response.writeHead(500).end(canary()))
  await new Promise<void>((resolve) => answering.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void answering.close())
  const { port } = answering.address() as AddressInfo
  const app = `http://127.0.0.1:${port}/${canary()}?token=${canary()}`
  await acuse(words`forwards set app --to ${app} --answer-from ${app}`)
  await post('/forwarded')
  await acuse(words`forwards remove app`)

  const { raw, call } = await agent(folder(), ['--allow-write'])
  const { deliveries } = await call('search_deliveries', { limit: 7 })
  const delivery = deliveries[0].id
  const effect = { type: 'reset' }
  const written = [
    await raw('add_fault', { effect, probability: 0, filter: `"${canary()}" customer:"${canary()}"` }),
    await raw('add_fault', { effect, probability: 0, filter: canary(email) }),
    await raw('list_faults'),
    await raw('remove_faults', { id: 1 }),
    await raw('remove_faults'),
    await raw('replay_delivery', { delivery, target: app }),
    await raw('replay_delivery', { delivery: 999_999, target: app }),
    await raw('annotate_deliveries', { ids: [delivery], note: `${canary(email)} ${canary(phone)}` }),
    await raw('trigger_event', { kind: 'factura.created', set: { '/data/CustomerName': canary() } }),
  ]
  const { documents } = await call('search_documents')
  const read = await Promise.all([
    ...READING.filter(({ name }) => !/read_(?!status)|check|list_faults/.test(name)).map(({ name }) =>
      raw(name),
    ),
    ...deliveries.map(({ id }: { id: number }) => raw('read_delivery', { id })),
    ...documents.map(({ key }: { key: string }) => raw('read_document', { key })),
  ])
  const texts = [...written, ...read].flatMap((one) => one.texts)
  expect(texts.length).toBeGreaterThan(27)
  expect(texts.join()).toContain('"answeredBy":{"by":"target"')
  const all = [
    ...texts,
    ...texts.flatMap((text) => text.match(/[\w+/]{12,}={0,2}/g) ?? []).map(decoded),
  ].join('\n')
  expect(canaries.filter((one) => all.includes(one) || all.includes(encodeURIComponent(one)))).toEqual([])
  // Documented values without personal data are there, and equal values have equal tokens.
  const whole = texts.join('\n')
  expect(whole).toContain(aUuid())
  const parties = new Set([...whole.matchAll(/"CustomerName":"(masked-\w+)"/g)].map(([, token]) => token))
  expect(parties).toContain(/Para (masked-\w+),/.exec(whole)?.[1])
})
const decoded = (text: string): string => Buffer.from(text, 'base64').toString()

describe('over HTTP', () => {
  const TOKEN = 'a-token-of-the-test'

  async function serving(): Promise<string> {
    const server = startCli(['mcp', '--http', '--data', folder()], { ACUSE_MCP_TOKEN: TOKEN })
    const [, url = ''] = await server.says(/MCP: (\S+)/)
    return url
  }

  test('an agent with the token is served; without it, with another one, or from another site it is refused', async () => {
    const url = await serving()
    const client = new Client({ name: 'agent', version: '1.0.0' })
    const headers = { Authorization: `Bearer ${TOKEN}` }
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
    expect(names((await client.listTools()).tools)).toEqual(names(READING))
    const { content } = await client.callTool({ name: 'list_kinds', arguments: {} })
    expect(JSON.stringify(content)).toContain('factura.created')
    await client.close()

    const status = (given: Record<string, string>, path = '') =>
      new Promise((resolve, reject) =>
        request(new URL(path, url), { method: 'POST', headers: given }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
          .on('error', reject)
          .end('{}'),
      )
    expect(await status({})).toBe(401)
    expect(await status({ Authorization: `Bearer ${TOKEN}x` })).toBe(401)
    expect(await status({ ...headers, Host: 'acuse.example' })).toBe(403)
    expect(await status({ ...headers, Origin: 'https://acuse.example' })).toBe(403)
    expect(await status({ ...headers, 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
    expect(await status(headers, '/other')).toBe(404)
  })

  // tests/conformance/mcp.test.ts runs the others, which call fixtures that a product lacks.
  test.each(['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])(
    'the conformance suite of the protocol passes: %s',
    { tags: 'long' },
    async (scenario) => {
      const url = await withToken(await serving(), TOKEN)
      expect(await conformance(url, ['--scenario', scenario])).toMatch(/0 failed/)
    },
  )
})
