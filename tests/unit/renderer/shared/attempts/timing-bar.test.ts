import { expect, test } from 'vitest'
import { phasesOf } from '@/shared/attempts/timing-bar.tsx'

const NONE = { lookupUs: null, connectUs: null, tlsUs: null, sendUs: null, waitUs: null, receiveUs: null }

test('only the phases that happened are drawn, in order, with their share of the time', () => {
  expect(phasesOf({ ...NONE, receiveUs: 25, connectUs: 75 })).toEqual([
    { phase: 'connect', us: 75, share: 75 },
    { phase: 'receive', us: 25, share: 25 },
  ])
})

test('phases too short to be measured share the bar', () => {
  expect(phasesOf({ ...NONE, sendUs: 0, waitUs: 0 }).map(({ share }) => share)).toEqual([50, 50])
  expect(phasesOf(NONE)).toEqual([])
})
