import { beforeAll, expect, test } from 'vitest'
import { DAMAGES, damageRound, soundStore } from './damage-rounds.ts'

let sound: Buffer
beforeAll(async () => {
  sound = await soundStore()
})

test.each(DAMAGES)('$name: it receives, and what is whole is back (reliability, row 6)', async (damage) => {
  const outcome = await damageRound(damage, sound)
  expect(outcome).toMatchObject({ state: 'ok', incidents: damage.incident ? 1 : 0, kept: true })
  expect(outcome.receivingMs).not.toBeNull()
  expect(outcome.salvaged).toBeGreaterThanOrEqual(outcome.undamaged * 0.99)
})
