import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Refusal } from '#sandbox/domain/refusal.ts'
import { forAll } from '../../../support/for-all.ts'
import { type Data, exact, expectFlawless, expectSums, NOON, worldOf } from '../judged.ts'

it('whatever is done in whatever order, every event is flawless, every sum agrees, and a refusal changes nothing', () => {
  const names = worldOf(0).operations.map(({ name }) => name)
  const steps = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(30)), { minLength: 10, maxLength: 80 })
  forAll(30, [fc.integer(), steps], (seed, list) => {
    const world = worldOf(seed)
    let told = 2
    let issued = 2
    const ids = [world.perform('create-invoice', {}).id, world.perform('create-expense', {}).id]
    for (const [name, which] of list) {
      const takes = world.operations
        .find((one) => one.name === name)
        ?.parameters.find((one) => one.required)?.name
      const before = world.counts()
      try {
        const { id, events } = world.perform(name, takes ? { [takes]: ids[which % ids.length] } : {})
        ids.push(id)
        told += events.length
        issued += events.filter(({ kind }) => /^(?!customer|supplier|product).*created$/.test(kind)).length
        for (const event of events) expectFlawless(event)
      } catch (thrown) {
        if (!(thrown instanceof Refusal)) throw thrown
        expect(world.counts()).toEqual(before)
      }
    }
    expect(world.counts()).toMatchObject({ events: told, documents: issued })
    for (const { json } of world.accounting({ from: 0, to: NOON * 2, documentTypeId: null, limit: 500 }))
      expectSums(exact(json))
    for (const { json } of world.treasury({
      from: null,
      after: null,
      to: null,
      documentTypeId: null,
      limit: 500,
    })) {
      const { PaymentMethods: methods, Accounting: accounting, IsAnulated: anulated } = exact(json)
      expect(anulated).toBe(false)
      expect((methods as Data[]).at(-1)?.Amount).toBe((accounting as Data).AmountDue)
    }
    world.close()
  })
})
