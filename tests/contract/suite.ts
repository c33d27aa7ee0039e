import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND_NAMES, COMMANDS, type CommandName, type Params, type Result } from '#contract/commands.ts'
import { ERROR_CODES, type ErrorCode } from '#contract/errors.ts'
import type { Push, PushName } from '#contract/pushes.ts'
import { anEvent } from '../support/events.ts'
import { until } from '../support/until.ts'
import { words } from '../support/words.ts'
import { replaySuite } from './replay-suite.ts'
import { sandboxSuite } from './sandbox-suite.ts'

/** One way to reach an engine. The engine must be fresh, with a listening receiver. */
export interface Connection {
  readonly receiverUrl: string
  /** Resolves to the result, or rejects with an error that has the refusal's `code`, `message` and `details`. */
  dispatch(command: string, params: unknown): Promise<unknown>
  subscribe(listener: (push: Push) => void): Promise<void>
  close(): Promise<void>
}

const BYTES = Uint8Array.from(Array(256).keys())
const EVENT = JSON.stringify(anEvent('factura.created'))

/**
 * Tests that every host behaves alike (architecture, Contract). It compares results as JSON, since results must be JSON.
 * @param name name of the way to reach the engine
 * @param connect starts a host on fresh data and connects to it
 */
export function contractSuite(name: string, connect: () => Promise<Connection>): void {
  describe(`contract over ${name}`, () => {
    let connection: Connection
    const pushes: Push[] = []

    beforeAll(async () => {
      connection = await connect()
      await connection.subscribe((push) => pushes.push(push))
    })
    afterAll(() => connection?.close())

    async function call<C extends CommandName>(command: C, params: Params<C>): Promise<Result<C>> {
      const result = await connection.dispatch(command, params)
      expect(JSON.parse(JSON.stringify(result))).toEqual(result)
      return COMMANDS[command].result.parse(result)
    }
    const refused = (command: string, params: unknown) =>
      connection.dispatch(command, params).then(
        () => expect.fail(`${command} was not refused`),
        (error) => error as { code: string; message: string; details?: Record<string, unknown> },
      )
    const refuses = async (code: ErrorCode, command: string, params: unknown) =>
      expect([command, (await refused(command, params)).code]).toEqual([command, code])
    async function pushed<P extends PushName>(kind: P, fits: (push: Extract<Push, { push: P }>) => boolean) {
      type Wanted = Extract<Push, { push: P }>
      return (await until(() => pushes.find((push) => push.push === kind && fits(push as Wanted)))) as Wanted
    }
    async function post(
      path: string,
      body: string | Uint8Array<ArrayBuffer>,
      headers: Record<string, string> = {},
    ): Promise<number> {
      const before =
        (await call('deliveries.scan', { filter: '', after: null, limit: 1, newest: true })).rows[0]?.id ?? 0
      await fetch(new URL(path, connection.receiverUrl), { method: 'POST', body, headers })
      // A read waits for filing, but not for a slow disk.
      const { rows } = await until(
        () => call('deliveries.scan', { filter: '', after: before, limit: 10 }),
        (page) => page.rows.length > 0,
      )
      return rows[0]?.id ?? 0
    }

    test.each(COMMAND_NAMES)('%s is there and refuses members that it does not know', async (command) => {
      const { code, message } = await refused(command, { surprise: 1 })
      expect(code).toBe('bad-params')
      expect(message).not.toBe('')
    })

    const none = words`nonsense toString __proto__ constructor deliveries DELIVERIES.PAGE ../app.info`
    test.each(['', ...none])('there is no command "%s"', async (command) => {
      expect(['unknown-command', 'not-found']).toContain((await refused(command, {})).code)
    })

    test.each([
      ['deliveries.get', { id: '1' }, 'id'],
      ['deliveries.get', {}, 'id'],
      ['deliveries.page', { filter: '', from: -1, limit: 10 }, 'from'],
      ['deliveries.page', { filter: '', from: 0, limit: 1_001 }, 'limit'],
      ['settings.update', { receiver: { port: 70_000 } }, 'receiver.port'],
      [
        'endpoints.save',
        { name: 'x', path: '/x', enabled: true, answer: { status: 99, headers: [], body: '', delayMs: 0 } },
        'answer.status',
      ],
    ])('%s with %j says where it is wrong: %s', async (command, params, path) => {
      const { code, details } = await refused(command, params)
      expect(code).toBe('bad-params')
      expect(details?.path).toBe(path)
    })

    test('app.info and status.get describe the host', async () => {
      const info = await call('app.info', {})
      expect(info.version).toMatch(/^\d+\.\d+\.\d+/)
      const capabilities = words`nativeWindow osSecretStore uiLinks weakSecretStore`
      expect(Object.keys(info.capabilities).sort()).toEqual(capabilities)
      const status = await call('status.get', {})
      expect(status.receiver).toMatchObject({ state: 'listening' })
      expect(status.store.state).toBe('ok')
    })

    test('a delivery is pushed, listed, shown and judged, byte for byte', async () => {
      const id = await post('/bytes?a=%20b', BYTES, { 'X-Test': 'yes' })
      const push = await pushed('deliveries.changed', ({ payload }) =>
        payload.rows.some((row) => row.id === id),
      )
      expect(push.payload.lastId).toBeGreaterThanOrEqual(id)
      expect((await call('deliveries.settled', { timeoutMs: 10_000 })).unjudged).toBe(0)
      const detail = await call('deliveries.get', { id })
      const request = { id, method: 'POST', url: '/bytes?a=%20b', size: 256 }
      expect(detail).toMatchObject({ ...request, answer: 200, verdict: 'unreadable' })
      expect(detail.headers).toContainEqual({ name: 'X-Test', value: 'yes', masked: false })
      const body = await call('deliveries.body', { id, view: 'raw', from: 0, length: 1_000 })
      expect(body.bytesBase64).toBe(Buffer.from(BYTES).toString('base64'))
      const slice = await call('deliveries.body', { id, view: 'raw', from: 250, length: 3 })
      const bytesBase64 = Buffer.from(BYTES.subarray(250, 253)).toString('base64')
      expect(slice).toMatchObject({ bytesBase64, total: 256, problem: null })
      await pushed('deliveries.changed', ({ payload }) =>
        payload.rows.some((row) => row.id === id && row.verdict !== null),
      )
    })

    test('a document has its life, and one without deliveries is absent instead of refused', async () => {
      const key = 'c0ffee00-0000-4000-8000-000000000001'
      expect(await call('documents.get', { key })).toBeNull()
      const sent = anEvent('factura.anulated', { data: { DocumentId: key } })
      const id = await post('/', JSON.stringify(sent))
      await call('deliveries.settled', { timeoutMs: 10_000 })
      expect((await call('documents.get', { key }))?.steps.map(({ row }) => row.id)).toEqual([id])
    })

    test('pages, scans, positions and counts agree, also under a filter', async () => {
      const ids = [await post('/', EVENT), await post('/', 'no event'), await post('/', EVENT)]
      await call('deliveries.settled', { timeoutMs: 10_000 })
      const filter = 'kind:factura.created'
      const page = await call('deliveries.page', { filter, from: 0, limit: 100 })
      expect(page.rows.map((row) => row.id)).toEqual([ids[0], ids[2]])
      expect(page.total).toBe(2)
      const newest = await call('deliveries.page', { filter, from: 'newest', limit: 1 })
      expect(newest).toMatchObject({ from: 1, total: 2, rows: [{ id: ids[2] }] })
      const forward = await call('deliveries.scan', { filter: '', after: ids[0] ?? 0, limit: 10 })
      expect(forward.rows.map((row) => row.id)).toEqual(ids.slice(1))
      const back = await call('deliveries.scan', { filter, after: null, limit: 10, newest: true })
      expect(back.rows.map((row) => row.id)).toEqual([ids[2], ids[0]])
      const place = (id = 0) => call('deliveries.locate', { filter, id })
      expect(await place(ids[2])).toEqual({ position: 1, member: true })
      expect(await place(ids[1])).toEqual({ position: 1, member: false })
      const { total, verdicts } = await call('deliveries.summary', { filter })
      expect(total).toBe(2)
      expect(Object.values(verdicts).reduce((sum, count) => sum + count, 0)).toBe(2)
    })

    test.each([
      ['bad-filter', 'deliveries.page', { filter: 'kind:(', from: 0, limit: 1 }],
      ['not-found', 'deliveries.get', { id: 999_999 }],
      ['not-found', 'deliveries.body', { id: 999_999, view: 'raw', from: 0, length: 1 }],
      ['not-found', 'endpoints.remove', { name: 'nobody' }],
    ] as const)('%s is the refusal of %s with %j', refuses)

    test('pins change what they name and can be looked for', async () => {
      const id = await post('/', 'pin me')
      expect(await call('deliveries.pin', { ids: [id, 999_999], pinned: true })).toEqual({ changed: 1 })
      const { rows } = await call('deliveries.page', { filter: 'is:pinned', from: 0, limit: 10 })
      expect(rows.map((row) => row.id)).toEqual([id])
      expect(rows[0]?.marks).toContain('pinned')
    })

    test('settings change, are kept and are pushed', async () => {
      const changed = await call('settings.update', { appearance: { theme: 'dark' } })
      expect(changed.appearance.theme).toBe('dark')
      expect(await call('settings.get', {})).toEqual(changed)
      await pushed('settings.changed', ({ payload }) => payload.appearance.theme === 'dark')
    })

    test('endpoints answer as they are told; conflicts are refused', async () => {
      const header: [string, string] = ['X-Told', 'yes']
      const answer = { status: 207, headers: [header], body: 'told', delayMs: 0 }
      const settings = await call('endpoints.save', { name: 'told', path: '/told', enabled: true, answer })
      expect(settings.endpoints.map((endpoint) => endpoint.name)).toEqual(['default', 'told'])
      const url = new URL('/told/deeper', connection.receiverUrl)
      const response = await fetch(url, { method: 'PUT', body: '{}' })
      const told = [response.status, response.headers.get('x-told'), await response.text()]
      expect(told).toEqual([207, 'yes', 'told'])
      const again = { name: 'other', path: '/told', enabled: true, answer }
      await refuses('conflict', 'endpoints.save', again)
      await refuses('conflict', 'endpoints.remove', { name: 'default' })
    })

    test('a secret decides who is accepted and is never seen again, unless a delivery is revealed', async () => {
      const secret = 'canary-4711'
      const given = { name: 'told', header: 'X-Key', value: secret, keepPrevious: false }
      const settings = await call('endpoints.set-secret', given)
      expect(settings.endpoints[1]?.secret).toEqual({ header: 'X-Key', values: 1 })
      const accepted = await post('/told', '{}', { 'X-Key': secret })
      const rejected = await post('/told', '{}', { 'X-Key': 'wrong' })
      expect(await call('deliveries.get', { id: rejected })).toMatchObject({ rejected: true, answer: 401 })
      const masked = await call('deliveries.get', { id: accepted })
      expect(masked).toMatchObject({ rejected: false, answer: 207 })
      expect(JSON.stringify(masked)).not.toContain(secret)
      expect(JSON.stringify(await call('deliveries.get', { id: accepted, reveal: true }))).toContain(secret)
      const shown = [await call('settings.get', {}), await call('status.get', {}), pushes]
      expect(JSON.stringify(shown)).not.toContain(secret)
      await call('endpoints.remove', { name: 'told' })
    })

    test('coverage says when the receiver was listening', async () => {
      const now = Date.now()
      const { spans } = await call('coverage.list', { from: now - 60_000, to: now + 60_000 })
      expect(spans.some((span) => span.state === 'listening')).toBe(true)
    })

    test('retention shows what would go, and takes exactly one measure', async () => {
      const stored = (await call('status.get', {})).counts.stored
      const would = await call('retention.preview', { keepNewest: 0 })
      expect(would.deliveries + would.pinnedExempt).toBe(stored)
      expect((await call('status.get', {})).counts.stored).toBe(stored)
      await refuses('bad-params', 'retention.preview', {})
      await refuses('bad-params', 'retention.preview', { keepNewest: 1, before: 1 })
    })

    test('what people say is pushed, and what they delete comes back as it was', async () => {
      const ids = [await post('/told', '{"n":1}'), await post('/told', '{"n":2}')]
      const [first = 0] = ids
      await call('deliveries.settled', { timeoutMs: 20_000 })
      expect(await call('deliveries.annotate', { ids, note: 'Sí', addTags: ['x'] })).toEqual({ changed: 2 })
      await pushed('deliveries.changed', ({ payload }) =>
        payload.rows.some(({ id, tags, note }) => id === first && note && tags.includes('x')),
      )
      expect((await call('tags.list', {})).tags).toEqual([{ tag: 'x', count: 2 }])
      await refuses('bad-params', 'deliveries.annotate', { ids, addTags: ['two words'] })
      const before = await call('deliveries.get', { id: first })
      const { batch, deliveries, bytes } = await call('deliveries.trash', { filter: 'tag:x' })
      expect(deliveries).toBe(2)
      await pushed('store.reset', ({ payload }) => payload.reason === 'trashed')
      await refuses('not-found', 'deliveries.get', { id: first })
      const listed = (await call('trash.list', {})).batches
      expect(listed).toMatchObject([{ batch, filter: 'tag:x', deliveries, bytes }])
      expect(await call('deliveries.restore', { batch: batch ?? 0 })).toEqual({ deliveries: 2 })
      await pushed('store.reset', ({ payload }) => payload.reason === 'restored')
      expect(await call('deliveries.settled', { timeoutMs: 20_000 })).toEqual({ unjudged: 0 })
      expect(await call('deliveries.get', { id: first })).toEqual(before)
      await refuses('not-found', 'deliveries.restore', { batch: batch ?? 0 })
      await call('deliveries.trash', { ids })
      expect(await call('trash.empty', {})).toEqual({ deliveries: 2, bytes })
    })

    replaySuite({ call, refused, refuses, pushed, post })

    test('the receiver stops and starts on command, and the status is pushed', async () => {
      expect((await call('receiver.stop', {})).receiver).toEqual({ state: 'off' })
      await pushed('status.changed', ({ payload }) => payload.receiver.state === 'off')
      // Another port, since the start's port held for that run only.
      const started = await call('receiver.start', { host: '127.0.0.1', port: 0 })
      expect(started.receiver.state).toBe('listening')
    })

    test('links to the window are made where the host says it can make them', async () => {
      if ((await call('app.info', {})).capabilities.uiLinks)
        expect((await call('ui.link', {})).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/)
      else await refuses('not-available', 'ui.link', {})
    })

    test('refusals have stable codes and nothing of our insides', async () => {
      const codes = [await refused('ui.nonsense', {}), await refused('store.salvage', { at: 1 })]
      for (const refusal of codes) {
        expect(ERROR_CODES).toContain(refusal.code)
        expect(JSON.stringify(refusal)).not.toMatch(/node_modules|\.ts:\d+/)
      }
    })

    sandboxSuite({ call, refused, refuses })

    test('pushes are numbered from 1 without gaps', () => {
      expect(pushes.length).toBeGreaterThan(0)
      expect(pushes.map((push) => push.seq)).toEqual(pushes.map((_, i) => i + 1))
    })
  })
}
