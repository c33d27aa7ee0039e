import { describe, expect, it } from 'vitest'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import { Refusal } from '#sandbox/domain/refusal.ts'
import type { ScenarioStep } from '#sandbox/scenarios/business.ts'
import type { World } from '#sandbox/world/world.ts'
import { ALL, expectFlawless, NOON, worldOf } from '../judged.ts'

const DAY = 86_400_000

function play(world: World, slug: string, options: { count?: number; seed?: number } = {}): ScenarioStep[] {
  const steps = [...world.scenario(slug, options)]
  for (const { events } of steps) for (const event of events) expectFlawless(event)
  return steps
}
const kindsOf = (steps: readonly ScenarioStep[]): Kind[] =>
  steps.flatMap(({ events }) => events.map(({ kind }) => kind))

const ACCEPTED = ['factura.created', 'dgii.en_proceso', 'dgii.en_proceso', 'dgii.aprobado'] as const
const REJECTED = ['factura.created', 'dgii.en_proceso', 'dgii.rechazado', 'factura.updated'] as const
const cases: readonly (readonly [slug: string, kinds: readonly Kind[]])[] = [
  ['accepted', ACCEPTED],
  ['rejected-corrected', [...REJECTED, 'dgii.en_proceso', 'dgii.aprobado']],
  ['conditional', ['factura.created', 'dgii.en_proceso', 'dgii.aceptado_condicional']],
  ['credit-note', [...ACCEPTED, 'nota_credito.created']],
  ['void-before', ['factura.created', 'factura.anulated']],
  ['void-after', [...ACCEPTED, 'nota_credito.created', 'factura.anulated']],
]
it.each(cases)('short scenarios: %s tells %j', (slug, kinds) => {
  for (const seed of [1, 2, 3]) expect(kindsOf(play(worldOf(seed), slug))).toEqual(kinds)
})

it.each([1, 2, 30, 2050])('month: of %i documents adds exactly that many to the sync routes', (count) => {
  const world = worldOf(6)
  for (const _ of world.scenario('month', { count }));
  expect(world.accounting(ALL)).toHaveLength(count)
})
it('month: spreads issue dates over the four weeks before today, and tells everything now', () => {
  const world = worldOf(7)
  const steps = play(world, 'month', { count: 200 })
  const dates = world.accounting(ALL).map(({ issuedAt }) => issuedAt)
  const days = new Set(dates.map((date) => Math.floor((date - 4 * 3_600_000) / DAY)))
  expect(days.size).toBeGreaterThan(25)
  expect(Math.min(...dates)).toBeGreaterThan(NOON - 30 * DAY)
  expect(Math.max(...dates)).toBeLessThan(NOON)
  for (const { events } of steps) for (const event of events) expect(event.at).toBeGreaterThanOrEqual(NOON)
})
it('month: has each of the 28 kinds in it', () => {
  const seen = new Set(kindsOf(play(worldOf(8), 'month', { count: 700 })))
  expect(KINDS.map(({ kind }) => kind).filter((kind) => !seen.has(kind))).toEqual([])
})

it('outage-day: marks the steps of the outage: some events in it, some before and after', () => {
  const world = worldOf(9)
  const steps = play(world, 'outage-day', { count: 60 })
  const away = steps.map(({ outage }) => outage)
  expect(away.slice(away.indexOf(true), away.lastIndexOf(true) + 1)).not.toContain(false)
  expect(away.indexOf(true)).toBeGreaterThan(10)
  expect(away.length - away.lastIndexOf(true)).toBeGreaterThan(10)
  expect(kindsOf(steps.filter(({ outage }) => outage)).length).toBeGreaterThan(10)
  const dates = world.accounting(ALL).map(({ issuedAt }) => issuedAt)
  expect(dates).toHaveLength(60)
  expect(Math.min(...dates)).toBeGreaterThan(NOON - DAY / 2)
})
it('outage-day: of one document loses it', () =>
  expect(play(worldOf(1), 'outage-day', { count: 1 })[0]?.outage).toBe(true))

describe('any scenario', () => {
  it.each(['accepted', 'month', 'outage-day', 'burst'])('%s: same seed, same bytes', (slug) => {
    const bodies = () => play(worldOf(4), slug).flatMap(({ events }) => events.map(({ body }) => body))
    expect(bodies()).toEqual(bodies())
  })
  it('with a seed of its own does not change what the world draws, and never gives an id twice', () => {
    const world = worldOf(5)
    const own = [play(world, 'month', { count: 40, seed: 1 }), play(world, 'month', { count: 40, seed: 1 })]
    const [first, second] = own.map((steps) => steps.flatMap(({ events }) => events))
    expect(first?.map(({ kind }) => kind)).toEqual(second?.map(({ kind }) => kind))
    const created = [...(first ?? []), ...(second ?? [])].filter(({ kind }) => kind.endsWith('.created'))
    expect(new Set(created.map(({ subject }) => subject)).size).toBe(created.length)
    expect(world.accounting(ALL)).toHaveLength(80)
  })
  it('ends when the world is reset or closed meanwhile', () => {
    for (const end of [(world: World) => world.reset(), (world: World) => world.close()])
      for (const slug of ['accepted', 'month', 'outage-day', 'burst']) {
        const world = worldOf(6)
        let steps = 0
        for (const _ of world.scenario(slug, {})) if (++steps === 1) end(world)
        expect(steps).toBe(1)
      }
  })
  it('goes on when somebody else has voided one of its documents', () => {
    const world = worldOf(7)
    for (const { events } of world.scenario('month', { count: 40 }))
      for (const { kind, subject } of events)
        if (kind === 'factura.created')
          try {
            world.perform('void', { id: subject })
          } catch (thrown) {
            expect(thrown).toBeInstanceOf(Refusal)
          }
    expect(world.accounting(ALL).length).toBeGreaterThanOrEqual(40)
  })
  it.each([
    ['nowhere', {}],
    ['month', { count: 200_001 }],
    ['accepted', { count: 2 }],
  ])('refuses %s with %j at once', (slug, options) =>
    expect(() => worldOf(1).scenario(slug, options)).toThrow(Refusal),
  )
})
