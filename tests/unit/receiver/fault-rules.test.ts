import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { FaultBook } from '#core/faults.ts'
import { anEvent } from '../../support/events.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { endpoint } from './endpoint.ts'
import { faulty, post, rule } from './faulty.ts'
import { rig } from './rig.ts'
import { sender } from './sender.ts'

describe('whom a rule meets', () => {
  test('those whose body makes them of its kind, or of its verdict', async () => {
    const { post } = await faulty([
      { filter: 'kind:factura.created', effect: { type: 'status', status: 500 } },
      { filter: 'verdict:unreadable', effect: { type: 'status', status: 501 } },
    ])
    const json = ['Content-Type', 'application/json']
    const statusOf = async (body: Buffer | string, headers: readonly string[] = json) =>
      (await post('/', body, headers)).answers[0]?.status
    const invoice = JSON.stringify(anEvent('factura.created'))
    expect(await statusOf(invoice)).toBe(500)
    expect(await statusOf(invoice, [...json, 'Content-Encoding', 'identity'])).toBe(500)
    expect(await statusOf(JSON.stringify(anEvent('customer.created')))).toBe(201)
    expect(await statusOf('not json')).toBe(501)
    // Coded or longer than a piece: nobody has judged it by then, so it has no kind.
    expect(await statusOf(gzipSync(invoice), [...json, 'Content-Encoding', 'gzip'])).toBe(201)
    expect(await statusOf(' '.repeat(1_100_000) + invoice)).toBe(201)
  })

  test('those that carry the header of a replay', async () => {
    const { post } = await faulty([{ filter: 'is:replay' }])
    expect((await post('/', '{}', ['x-acuse-replay', '7'])).answers[0]?.status).toBe(503)
    expect((await post()).answers[0]?.status).toBe(201)
  })

  test('never one that is rejected or malformed', async () => {
    const { accept, capture, port, faults } = await secured()
    expect((await raw({ port }, post('/'))).answers[0]?.status).toBe(401)
    expect((await raw({ port }, 'GARBAGE\r\n\r\n', { answers: 0 })).answers[0]?.status).toBe(400)
    await raw({ port }, ['POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc', 20], {
      resetAfter: true,
      answers: 0,
    })
    await capture.kept(3)
    expect(faults.list()).toMatchObject([{ matched: 0 }])
    expect(capture.took.every(({ instead }) => instead === undefined)).toBe(true)
    expect((await raw({ port }, accept)).answers[0]?.status).toBe(503)
  })
})

/** A receiver that demands a secret, with a rule that takes everything. */
async function secured() {
  const faults = new FaultBook({ now: Date.now })
  faults.add(rule())
  const secret = { header: 'X-Key', values: 1 } as const
  const made = await rig({
    rules: { endpoints: [endpoint({ secret, accepted: ['s'] })] },
    answering: { faults, replays: null },
  })
  return { ...made, faults, accept: requestBytes('POST', '/', '{}', ['X-Key', 's']) }
}

describe('what a rule must not do', () => {
  test('while none is in force, nothing is asked of the book but that', async () => {
    const asked: string[] = []
    const faults = {
      active: () => asked.push('active') < 0,
      decide: () => {
        throw new Error('it is not to be asked')
      },
    }
    const { port } = await rig({ answering: { faults, replays: null } })
    expect((await raw({ port }, post('/'))).answers[0]?.status).toBe(200)
    expect(asked).toEqual(['active'])
  })

  test('keep a delivery from its answer when it fails', async () => {
    const faults = {
      active: () => true,
      decide: () => {
        throw new Error('odd')
      },
    }
    const { port, warnings } = await rig({ answering: { faults, replays: null } })
    expect((await raw({ port }, post('/'))).answers[0]?.status).toBe(200)
    expect(warnings).toEqual([expect.stringContaining('odd')])
  })

  test('happen before the delivery is stored, or to one that is not', async () => {
    const { capture, port, faults } = await faulty([{ effect: { type: 'reset' } }])
    let release = () => {}
    capture.gate = new Promise((resolve) => {
      release = resolve
    })
    const { ended, socket } = await sender(port, post('/'))
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect([faults.list()[0]?.matched, socket.closed]).toEqual([0, false])
    release()
    expect(await ended).toBe('reset')
    capture.failure = new Error('disk full')
    expect((await raw({ port }, post('/'), { answers: 0 })).answers[0]?.status).toBe(503)
    expect(faults.list()[0]?.matched).toBe(1)
  })
})

test('two pipelined deliveries that cannot be stored: the first is told so, and the connection ends', async () => {
  const { capture, port } = await rig()
  capture.failure = new Error('disk full')
  const { answers, closed } = await raw({ port }, Buffer.concat([post('/1'), post('/2')]), { answers: 0 })
  expect([answers.map((a) => a.status), closed]).toEqual([[503], true])
})
