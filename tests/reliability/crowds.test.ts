import { expect, test } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'
import { burstRound, crowdRound } from './crowd-rounds.ts'

test('a burst of 2,000 over 200 connections: none refused, none lost (reliability, row 8, its short version)', async () => {
  expect(await burstRound(tempFolder(), 200, 10, 1)).toMatchObject({ answered: 2_000, refused: 0, lost: 0 })
}, 60_000)

test('good deliveries pass slow senders, long heads and half bodies (reliability, row 16, its short version)', async () => {
  const each = { 'slow heads': 200, 'slow bodies': 200, 'long heads': 50, 'half bodies': 50 }
  const { good, refused } = await crowdRound(tempFolder(), each, 5)
  expect(good).toBeGreaterThan(0)
  expect(refused).toBe(0)
}, 60_000)
