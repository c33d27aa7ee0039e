import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Alert } from '#contract/alerts.ts'
import { DEFAULT_ALERT, DEFAULT_TARGET } from '#contract/defaults.ts'
import { testNote } from '#core/alerts/incidents.ts'
import { createAlertSender } from '#hosts/alert-sender.ts'
import { createSender } from '#outbound/sender.ts'
import { assembled } from '../../support/assembled.ts'
import { anEvent } from '../../support/events.ts'
import { type HookAnswer, hookReceiver } from '../../support/hook-receiver.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const WITHIN = { timeout: 20_000, interval: 20 }
const CANARY = 'canary-73f1'

async function watched(dataDir = tempFolder(), answer?: HookAnswer) {
  const hook = await hookReceiver(answer)
  const notes = () => hook.received.map(({ body }) => JSON.parse(String(body)))
  const start = async () => {
    const { host, receiverUrl } = await assembled({ dataDir })
    onTestFinished(() => host.close())
    const { engine } = host
    return {
      ...{ host, engine },
      save: (change: Partial<Alert> & Pick<Alert, 'cause'>) =>
        engine.dispatch('alerts.save', { ...DEFAULT_ALERT, name: 'ops', target: hook.url, ...change }),
      post: (body: string) => fetch(receiverUrl, { method: 'POST', body }),
      state: async () => (await engine.call('alerts.list', {})).alerts[0],
    }
  }
  return { hook, notes, start, dataDir }
}

test('receiver off: one message, none again after a restart, and one when it listens again', async () => {
  const { notes, start } = await watched()
  const first = await start()
  await first.save({ cause: 'receiver-off', minutes: 0 })
  await first.engine.call('receiver.stop', {})
  await expect.poll(notes, WITHIN).toHaveLength(1)
  expect(notes()[0]).toMatchObject({ alert: 'ops', cause: 'receiver-off', event: 'opened', incident: 1 })
  expect(await first.state()).toMatchObject({ open: [{ incident: 1 }], lastFailure: null })
  await first.host.close()
  // The receiver listens again with the next start, and so the incident is over.
  const second = await start()
  await expect.poll(notes, WITHIN).toHaveLength(2)
  expect(notes()[1]).toMatchObject({ event: 'recovered', incident: 1, since: notes()[0].since })
  expect(await second.state()).toMatchObject({ open: [], waiting: 0 })
  await second.host.close()
  const third = await start()
  await third.host.close()
  expect(notes()).toHaveLength(2)
})

test('invalid deliveries: one message for many, counted, without anything of a delivery or of the filter', async () => {
  const { notes, start, hook } = await watched()
  const { save, post, state } = await start()
  await save({ cause: 'invalid', filter: `-"${CANARY}-none"` })
  for (let n = 0; n < 5; n++) await post(JSON.stringify({ ...anEvent('factura.created'), [CANARY]: CANARY }))
  await expect.poll(async () => (await state())?.open[0]?.count, WITHIN).toBe(5)
  await expect.poll(notes, WITHIN).toHaveLength(1)
  expect(notes()).toMatchObject([{ cause: 'invalid', event: 'opened', incident: 1 }])
  expect(JSON.stringify(hook.received.map(({ headers }) => headers)) + JSON.stringify(notes())).not.toContain(
    CANARY,
  )
})

test('an invalid delivery just before the host ends is told by the next one, once', {
  tags: 'long',
}, async () => {
  const { notes, start } = await watched()
  const first = await start()
  await first.save({ cause: 'invalid' })
  await first.post(JSON.stringify(anEvent('factura.created')))
  await first.engine.call('deliveries.settled', { timeoutMs: 20_000 })
  await first.post('{}')
  await first.host.close()
  const second = await start()
  await expect.poll(notes, WITHIN).toMatchObject([{ event: 'opened', incident: 1, count: 1 }])
  await second.host.close()
  const third = await start()
  await third.post('{}')
  await expect.poll(async () => (await third.state())?.open[0]?.count, WITHIN).toBe(2)
  expect(notes()).toHaveLength(1)
})

test('a receiver of messages that fails: shown in the status, tried again, and a redirect is not followed', {
  tags: 'long',
}, async () => {
  const elsewhere = await hookReceiver()
  let failing = true
  const { notes, start } = await watched(undefined, (_, response) => {
    if (failing) response.writeHead(302, { Location: elsewhere.url })
    response.end()
  })
  const { save, engine, state } = await start()
  await save({ cause: 'receiver-off', minutes: 0 })
  await engine.call('receiver.stop', {})
  const failures = async () => (await engine.call('status.get', {})).alertsFailing
  await expect.poll(failures, WITHIN).toEqual(['ops'])
  expect(await state()).toMatchObject({
    waiting: 1,
    lastFailure: { code: 'status', params: { status: 302 } },
  })
  failing = false
  await expect.poll(async () => (await state())?.waiting, WITHIN).toBe(0)
  expect(await failures()).toBeUndefined()
  expect(notes().map(({ event, incident }) => `${event} ${incident}`)).toEqual(['opened 1', 'opened 1'])
  expect(elsewhere.received).toEqual([])
})

test('destinations: a target with its secret header, a program of the folder hooks; neither metadata, nor Acuse itself, nor a path', async () => {
  const { hook, start, dataDir } = await watched()
  const { save, engine } = await start()
  const secret = { name: 'Authorization', value: 'Bearer s3', secret: true }
  await engine.dispatch('targets.save', { ...DEFAULT_TARGET, name: 'chat', url: hook.url, headers: [secret] })
  await save({ cause: 'missed', target: 'chat' })
  expect(await engine.call('alerts.test', { name: 'ops' })).toMatchObject({ problem: null })
  expect(hook.received[0]?.headers).toContain('Bearer s3')
  await expect(engine.call('targets.remove', { name: 'chat' })).rejects.toMatchObject({ code: 'conflict' })

  mkdirSync(join(dataDir, 'hooks'))
  const program = join(dataDir, 'hooks', 'tell.sh')
  writeFileSync(program, '#!/bin/sh\ncat > "$0.out"; echo "$ACUSE_EVENT of $ACUSE_ALERT" >&2; exit 3\n')
  const own = { previousName: 'ops', cause: 'missed', target: null, program: 'tell.sh' } as const
  await expect(save(own)).rejects.toMatchObject({ code: 'bad-params', details: { path: 'program' } })
  chmodSync(program, 0o700)
  await save(own)
  expect(await engine.call('alerts.test', { name: 'ops' })).toMatchObject({
    problem: { code: 'exit', params: { exit: 3, said: 'test of ops' } },
  })
  expect(JSON.parse(readFileSync(`${program}.out`, 'utf8'))).toMatchObject({ event: 'test', alert: 'ops' })

  for (const name of ['ACUSE_LOG_URL', 'ACUSE_METRICS_TOKEN', 'OTEL_EXPORTER_OTLP_HEADERS'])
    vi.stubEnv(name, CANARY)
  onTestFinished(() => void vi.unstubAllEnvs())
  writeFileSync(program, '#!/bin/sh\nenv > "$0.out"\n')
  expect(await engine.call('alerts.test', { name: 'ops' })).toMatchObject({ problem: null })
  expect(readFileSync(`${program}.out`, 'utf8')).toMatch(/^PATH=/m)
  expect(readFileSync(`${program}.out`, 'utf8')).not.toContain(CANARY)

  const { receiver } = await engine.call('status.get', {})
  const ownUrl = receiver.state === 'listening' ? receiver.url : ''
  for (const target of ['http://169.254.169.254/', 'http://metadata.google.internal/', ownUrl])
    await expect(save({ ...own, target, program: null })).rejects.toMatchObject({ code: 'bad-params' })
  for (const program of ['../tell.sh', '/bin/sh', '.x', 'a/b', ''])
    await expect(save({ ...own, program })).rejects.toMatchObject({ code: 'bad-params' })
  await expect(save({ ...own, target: hook.url })).rejects.toMatchObject({ code: 'bad-params' })
})

test('a program that hangs is ended with what it started', async () => {
  const dataDir = tempFolder()
  mkdirSync(join(dataDir, 'hooks'))
  const program = join(dataDir, 'hooks', 'hang.sh')
  writeFileSync(program, '#!/bin/sh\nsleep 600 &\necho $! > "$0.pid"\nwait\n', { mode: 0o700 })
  const sender = createSender()
  onTestFinished(() => sender.close())
  const nothing = { targets: { all: () => [] }, destinations: { refused: async () => null } }
  const parts = { dataDir, version: '1', sender, ...nothing, programMs: 1_000 }
  const alert = { ...DEFAULT_ALERT, name: 'ops', cause: 'missed', program: 'hang.sh' } as const
  const { problem } = await createAlertSender(parts).send(alert, testNote(alert, 0))
  expect(problem).toMatchObject({ code: 'too-slow' })
  const started = readFileSync(`${program}.pid`, 'utf8').trim()
  const state = () => spawnSync('ps', ['-o', 'stat=', '-p', started]).stdout.toString().trim()
  await expect.poll(state, WITHIN).toMatch(/^Z?$/)
})
