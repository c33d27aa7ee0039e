import { expect, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import type { CommandName, Params, Result } from '#contract/commands.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { SandboxCommandName } from '#contract/sandbox-commands.ts'
import { until } from '../support/until.ts'

export interface SandboxSuite {
  call<C extends CommandName>(command: C, params: Params<C>): Promise<Result<C>>
  refused(
    command: string,
    params: unknown,
  ): Promise<{ code: string; message: string; details?: Record<string, unknown> }>
  refuses(code: ErrorCode, command: string, params: unknown): Promise<void>
}

/** Commands to a running sandbox, with valid parameters. */
const LOOKS = {
  'sandbox.state': {},
  'sandbox.subscriptions': {},
  'sandbox.operations': {},
  'sandbox.traffic': {},
  'sandbox.laboratory': {},
  'sandbox.log': {},
  'sandbox.keys': {},
  'sandbox.plugins': {},
} satisfies { readonly [C in SandboxCommandName]?: Params<C> }
const looks = Object.keys(LOOKS) as readonly (keyof typeof LOOKS)[]

/** Tests the sandbox through any host; all hosts must give the same results. */
export function sandboxSuite({ call, refused, refuses }: SandboxSuite): void {
  const settled = async (run: string) => {
    const log = () => call('sandbox.log', { run })
    return (await until(log, ({ pending }) => pending === 0)).entries
  }
  const subscription = async () => {
    const { subscriptions } = await call('sandbox.subscriptions', {})
    return subscriptions[0] ?? expect.fail('there is no subscription')
  }

  test('while no sandbox runs, its commands are not available', async () => {
    expect(await call('sandbox.status', {})).toEqual({ running: false })
    for (const command of looks) await refuses('not-available', command, {})
    expect(await call('sandbox.stop', {})).toEqual({ running: false })
  })

  test('a sandbox that is started is subscribed to the receiver with all 28 kinds', async () => {
    const status = await call('sandbox.start', { port: 0 })
    expect(await call('sandbox.start', {})).toEqual(status)
    expect(await call('sandbox.status', {})).toEqual(status)
    for (const command of looks) await call(command, {})
    const { receiver } = await call('status.get', {})
    const url = receiver.state === 'listening' ? receiver.url : ''
    const made = { url, method: 'POST', headers: [], kinds: KINDS.map(({ kind }) => kind) }
    expect(await subscription()).toMatchObject({ ...made, active: true, warnings: [] })
  })

  test('what it emits arrives and is valid; what is edited is sent as it stands', async () => {
    const { body } = await call('sandbox.preview', { kind: 'factura.created', seed: 3 })
    const emitted = await call('sandbox.emit', { kind: 'factura.created', seed: 3 })
    const customer = (text = '') => JSON.parse(text).data.CustomerName
    expect(customer(body)).toBe(customer(emitted.events[0]?.body))
    expect(await settled(emitted.run)).toMatchObject([{ outcome: 'delivered', status: 200, lost: false }])
    const edited = '{"Event":"factura.created", "Timestamp":7}'
    const sent = await call('sandbox.send', { kind: 'factura.created', body: edited })
    const [entry] = await settled(sent.run)
    const shown = await call('sandbox.log-entry', { id: entry?.id ?? 0 })
    expect(shown).toMatchObject({ request: { body: edited }, answer: { status: 200 } })
    await call('deliveries.settled', { timeoutMs: 10_000 })
    const { rows } = await call('deliveries.scan', { filter: '', after: null, limit: 2, newest: true })
    expect(rows.map(({ verdict }) => verdict)).toEqual(['invalid', 'valid'])
    const broken = { kind: 'factura.created', body: '{\n  "a":}' }
    const { message, details } = await refused('sandbox.send', broken)
    expect(message).toContain('line 2, column 7')
    expect(details).toMatchObject({ path: 'body', line: 2, column: 7 })
  })

  test('operations, scenarios and traffic act, and the log can be paged', async () => {
    const made = await call('sandbox.perform', { name: 'create-invoice', params: {} })
    expect(made.events.map(({ kind }) => kind)).toContain('factura.created')
    const begun = await call('sandbox.scenario', { slug: 'month', count: 5, seed: 1, background: true })
    const state = () => call('sandbox.run', { run: begun.run })
    await until(state, ({ running, pending }) => !running && pending === 0)
    expect((await call('sandbox.stop-run', { run: begun.run })).running).toBe(false)
    const all = await call('sandbox.log', { run: begun.run, limit: 1_000 })
    const first = await call('sandbox.log', { run: begun.run, limit: 2 })
    expect([first.total, first.next]).toEqual([all.total, all.entries[1]?.id])
    const rest = await call('sandbox.log-entries', { run: begun.run, after: first.next ?? 0, limit: 100 })
    expect(rest.entries.map(({ id }) => id)).toEqual(all.entries.slice(2).map(({ id }) => id))
    const traffic = await call('sandbox.start-traffic', { rate: 50, mix: { 'customer.created': 1 } })
    expect(traffic).toMatchObject({ running: true, settings: { rate: 50 } })
    expect((await call('sandbox.stop-traffic', {})).running).toBe(false)
  })

  test('the plan, the laboratory and subscriptions change as they are told', async () => {
    expect((await call('sandbox.set-workspace', { plan: 'Otro' })).plan).toBe('Otro')
    expect((await call('sandbox.state', {})).dispatches).toBe(false)
    await call('sandbox.set-workspace', { plan: 'Corporativo' })
    const { lose } = await call('sandbox.set-laboratory', { lose: { share: 1 } })
    expect(lose).toEqual({ share: 1, kinds: null })
    const lost = await call('sandbox.emit', { kind: 'product.created' })
    expect(await settled(lost.run)).toMatchObject([{ outcome: 'lost', lost: true }])
    expect((await call('sandbox.clear-laboratory', {})).lose.share).toBe(0)
    const { id } = await call('sandbox.save-subscription', { url: 'http://127.0.0.1:1/', kinds: [] })
    const failed = await call('sandbox.test-subscription', { id })
    expect(failed).toMatchObject({ type: 'test', outcome: 'failed', answer: null })
    expect(await call('sandbox.save-subscription', { id, active: false })).toMatchObject({ active: false })
    expect(await call('sandbox.remove-subscription', { id })).toEqual({ removed: id })
  })

  test('what the sandbox refuses comes with its own sentence, and with the place', async () => {
    const { code, message, details } = await refused('sandbox.save-subscription', { url: 'nowhere' })
    expect([code, details?.path]).toEqual(['bad-params', 'url'])
    expect(message).toContain('https://example.com/hook')
    await refuses('not-found', 'sandbox.log-entry', { id: 999_999 })
    await refuses('not-found', 'sandbox.scenario', { slug: '../state' })
    expect((await refused('sandbox.emit', { kind: 'factura.creada' })).message).toContain('28 kinds')
  })

  test('keys and tokens are shown by the command that issues them, and by no other', async () => {
    const { key, ...issued } = await call('sandbox.issue-key', { name: 'ERP' })
    const { token, ...plugin } = await call('sandbox.install-plugin', { name: 'Bridge' })
    const { keys } = await call('sandbox.keys', {})
    const { plugins } = await call('sandbox.plugins', {})
    expect(keys).toContainEqual(issued)
    expect(plugins).toContainEqual(plugin)
    const changed = await call('sandbox.change-plugin', { id: plugin.id, active: false })
    expect(changed.active).toBe(false)
    for (const command of looks) {
      const text = JSON.stringify(await call(command, {}))
      expect([command, text.includes(key), text.includes(token)]).toEqual([command, false, false])
    }
    expect(await call('sandbox.revoke-key', { id: issued.id })).toEqual({ removed: issued.id })
    expect(await call('sandbox.remove-plugin', { id: plugin.id })).toEqual({ removed: plugin.id })
  })

  test("the receiver's secret goes along with the deliveries and is covered in what is shown", async () => {
    const value = 'canary-0815'
    await call('endpoints.set-secret', { name: 'default', header: 'X-Secret', value, keepPrevious: false })
    const header = await until(async () => (await subscription()).headers[0])
    expect(header).toEqual({ name: 'X-Secret', value: '11 characters', masked: true })
    // Null keeps the value of a header beside a new one.
    const { id } = await subscription()
    const own = { name: 'X-Own', value: 'mine' }
    await call('sandbox.save-subscription', { id, headers: [own, { name: 'X-Secret', value: null }] })
    await refuses('bad-params', 'sandbox.save-subscription', { id, headers: [{ name: 'X-No', value: null }] })
    const { run } = await call('sandbox.emit', { kind: 'customer.created' })
    const [entry] = await settled(run)
    expect(entry?.status).toBe(200)
    const shown = await call('sandbox.log-entry', { id: entry?.id ?? 0 })
    expect(shown.request.head).toContain('X-Secret: <masked: 11 characters>')
    expect(shown.request.head).toContain('X-Own: mine')
    for (const command of ['sandbox.log', 'sandbox.log-entries', 'sandbox.subscriptions'] as const)
      expect(JSON.stringify(await call(command, {}))).not.toContain(value)
    const revealed = await call('sandbox.log-entry', { id: entry?.id ?? 0, reveal: true })
    expect(revealed.request.head).toContain(`X-Secret: ${value}`)
    await call('endpoints.clear-secret', { name: 'default', which: 'all' })
    while ((await subscription()).headers.length > 1);
    expect((await subscription()).headers).toEqual([{ name: 'X-Own', value: 'mine', masked: false }])
  })

  test('it begins anew, stops, and is gone', async () => {
    const state = await call('sandbox.reset', { seed: 2 })
    expect([state.counts.documents, state.subscriptions]).toEqual([0, 1])
    expect(await call('sandbox.stop', {})).toEqual({ running: false })
    await refuses('not-available', 'sandbox.state', {})
  })
}
