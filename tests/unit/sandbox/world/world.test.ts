import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { Refusal } from '#sandbox/domain/refusal.ts'
import { openWorld } from '#sandbox/world/world.ts'
import { sharedFolder } from '../../../support/temp-folder.ts'
import { ALL, type Data, dataOf, NOON, worldOf } from '../judged.ts'

const folder = sharedFolder()
const open = (name: string, seed = 1, now = () => NOON) => openWorld({ file: join(folder, name), seed, now })

it('the sandbox’s own file: goes on where it was closed: documents, sequences, ids and what is drawn next', () => {
  const whole = worldOf(1)
  const bodies = () =>
    ['factura.created', 'gasto.created', 'customer.created', 'nota_debito.created'] as const
  const expected = bodies().map((kind) => dataOf(whole.emit(kind, {})))
  const drawn = bodies().map((kind) => {
    const world = open('again.db')
    const data = dataOf(world.emit(kind, {}))
    world.close()
    return data
  })
  const named = ({ DocumentId: id, Number: number }: Data) => [id, number]
  expect(drawn.map(named)).toEqual(expected.map(named))
  const world = open('again.db', 99)
  world.setWorkspace({ plan: 'Básico', name: 'Ñ', offset: '-05:00' })
  world.close()
  const later = open('again.db')
  expect(later.workspace()).toEqual({ plan: 'Básico', name: 'Ñ', offset: '-05:00' })
  expect(later.counts().documents).toBe(4)
  later.close()
})
it('the sandbox’s own file: is in WAL mode, for its owner alone, and for one sandbox at a time', () => {
  const world = open('mode.db')
  expect(statSync(join(folder, 'mode.db')).mode & 0o777).toBe(0o600)
  expect(() => open('mode.db')).toThrow(/open in another sandbox/)
  world.perform('create-invoice', {})
  world.close()
  const other = new DatabaseSync(join(folder, 'mode.db'))
  expect(other.prepare('PRAGMA journal_mode').get()).toMatchObject({ journal_mode: 'wal' })
  other.close()
})
it('the sandbox’s own file: that is none, or a newer Acuse’s, is refused with a sentence', () => {
  writeFileSync(join(folder, 'none.db'), 'x'.repeat(8192))
  expect(() => open('none.db')).toThrow(Refusal)
  const newer = new DatabaseSync(join(folder, 'newer.db'))
  newer.exec('PRAGMA user_version = 99')
  newer.close()
  expect(() => open('newer.db')).toThrow(/newer Acuse/)
  expect(() => open(join('no', 'folder.db'))).toThrow(Refusal)
})

it.each(['Z', '-00:00', '+15:00'])('the workspace: refuses the offset %s and stays as it was', (offset) => {
  const world = worldOf(1)
  const before = world.workspace()
  expect(() => world.setWorkspace({ plan: 'Otro', offset })).toThrow(Refusal)
  expect(world.workspace()).toEqual(before)
})

it('reset starts anew from the seed: nothing but contacts and products, and the same documents again', () => {
  const world = worldOf(3)
  const first = world.emit('factura.created', {})
  const filled = world.counts()
  world.reset()
  expect(world.counts()).toEqual({ ...filled, documents: 0, events: 0 })
  expect(world.emit('factura.created', {}).subject).toBe(first.subject)
  world.reset(4)
  expect(world.emit('factura.created', {}).subject).not.toBe(first.subject)
})

it('a clock that slips back does not date a document before the one issued earlier', () => {
  let at = NOON
  const world = openWorld({ file: ':memory:', seed: 1, now: () => at })
  const ids = [0, -20, -5, 3].map((slip) => {
    at = NOON + slip
    return world.perform('create-invoice', {}).id
  })
  expect(world.accounting(ALL).map(({ id }) => id)).toEqual(ids)
})
