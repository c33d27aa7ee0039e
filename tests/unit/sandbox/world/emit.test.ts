import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { Refusal } from '#sandbox/domain/refusal.ts'
import { microsOf } from '../../../support/events.ts'
import { forAll } from '../../../support/for-all.ts'
import { ALL, dataOf, expectFlawless, worldOf } from '../judged.ts'

describe('emit', () => {
  it('gives each of the 28 kinds, valid, with all documented fields and no others, for every seed', () =>
    forAll(25, [fc.maxSafeInteger()], (seed) => {
      const world = worldOf(seed)
      for (const { kind } of KINDS) {
        const event = world.emit(kind, {})
        expect(event.kind).toBe(kind)
        expectFlawless(event)
      }
      expect(world.counts().events).toBe(KINDS.length)
      world.close()
    }))
  it('gives the same bytes for the same seed, and others for another', () => {
    const bodies = (seed: number): string[] => {
      const world = worldOf(seed)
      return KINDS.map(({ kind }) => world.emit(kind, {}).body)
    }
    expect(bodies(42)).toEqual(bodies(42))
    expect(bodies(42)).not.toEqual(bodies(43))
  })
  it('gives a life with all its events, from the first on, so that a reconciliation of traffic misses nothing', () => {
    const world = worldOf(3)
    for (const { kind } of KINDS) {
      const before = world.counts().events
      const events = world.live(kind)
      expect(events[0]?.kind).toMatch(/\.created$/)
      expect(events.at(-1)?.kind).toBe(kind)
      for (const event of events) expectFlawless(event)
      expect(world.counts().events - before).toBe(events.length)
    }
  })
  it('writes Timestamp in the workspace’s offset', () => {
    const world = worldOf(1)
    expect(world.emit('factura.created', {}).body).toContain('"Timestamp":"2026-11-21T12:00:00.0')
    world.setWorkspace({ offset: '+01:00' })
    expect(world.emit('factura.created', {}).body).toMatch(/"Timestamp":"2026-11-21T17:00:00\.\d{3}\+01:00"/)
  })
  it('puts values at JSON pointers of the envelope, and changes no document by that', () => {
    const world = worldOf(1)
    const values = { '/data/StatusId': 'five', '/data/Accounting/Total': 1, '/Extra': { a: [] } }
    const event = world.emit('factura.created', {
      overrides: new Map<string, unknown>(Object.entries(values)),
    })
    expect(event.body).toContain('"StatusId":"five"')
    expect(event.body).toContain('"Total":1,')
    expect(event.body).toMatch(/,"Extra":\{"a":\[\]\}\}$/)
    const [item] = world.accounting(ALL)
    expect(JSON.parse(item?.json ?? '')).toMatchObject({ DocumentId: event.subject, StatusId: 1 })
  })
  it('sends given content as it is, and performs nothing for it', () => {
    const world = worldOf(1)
    const id = 'A0000000-0000-4000-8000-000000000001'
    const event = world.emit('dgii.aprobado', { data: { DocumentId: id, Anything: [1.5, null] } })
    expect(event.body.endsWith(`"data":{"DocumentId":"${id}","Anything":[1.5,null]}}`)).toBe(true)
    expect(event.subject).toBe(id.toLowerCase())
    expect(world.emit('factura.created', { data: null }).body).toMatch(/"data":null\}$/)
    expect(world.counts().documents).toBe(0)
  })
  it('with a seed of its own gives the same amounts again under another id, and leaves the world’s data as they would have been', () => {
    const [world, other] = [worldOf(3), worldOf(3)]
    const first = world.emit('gasto.created', { seed: 5 })
    const second = world.emit('gasto.created', { seed: 5 })
    expect(dataOf(second).AmountDue).toBe(dataOf(first).AmountDue)
    expect(second.subject).not.toBe(first.subject)
    for (let times = 0; times < 2; times++) other.emit('customer.created', { seed: 6 })
    const [mine, theirs] = [world, other].map((of) => dataOf(of.emit('factura.created', {})).AmountDue)
    expect(mine).toBe(theirs)
  })
  it('refuses what cannot be sent, and nothing has happened then: the next event is the one that would have come', () => {
    const bad = () => new Map<string, unknown>([['/data/None/Here', 1]])
    const [world, untouched] = [worldOf(9), worldOf(9)]
    const before = world.counts()
    expect(() => world.emit('factura.created', { overrides: bad() })).toThrow(Refusal)
    expect(world.counts()).toEqual(before)
    const [next, due] = [world, untouched].map((of) => dataOf(of.emit('nota_credito.updated', {})).DocumentId)
    expect(next).toBe(due)
  })
})

it('two events of one document in the same millisecond are never the same bytes, and keep their order (Delivery, Duplicate)', () => {
  const world = worldOf(1)
  const { id } = world.perform('create-invoice', {})
  world.perform('submit', { id })
  const polls = Array.from({ length: 5 }, () => world.perform('poll', { id }).events)
  const bodies = polls.flat().map(({ body }) => body)
  expect(new Set(bodies).size).toBe(5)
  const instants = bodies.map((body) => microsOf(JSON.parse(body).Timestamp))
  expect([instants, new Set(instants).size]).toEqual([[...instants].sort((a, b) => a - b), 5])
})
