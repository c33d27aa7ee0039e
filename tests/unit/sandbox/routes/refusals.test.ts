import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runningSandbox } from '../../../support/running-sandbox.ts'

const UUID = '5f0c1d2e-3b4a-4c5d-8e6f-000000000009'
const READINGS = join(import.meta.dirname, '../../../../docs/spec/readings.md')

/** Entries of "Sandbox choices" that are refusals, with their status. */
function refusals(): ReadonlyMap<string, number> {
  const [, choices = ''] = readFileSync(READINGS, 'utf8').split('## Sandbox choices')
  const rows = choices.matchAll(/^\| (.+?) \| (4\d\d) \|$/gm)
  return new Map(Array.from(rows, ([, point = '', status]) => [point, Number(status)]))
}

const accounting = 'documents/accounting-sync?from=2026-01-01&to=2026-12-31'
const treasury = 'documents/treasury-sync'
/** Requests that cause each refusal, and its code. */
const MEETING: Readonly<
  Record<string, readonly (readonly [path: string, code: string, init?: RequestInit])[]>
> = {
  'missing or unknown X-Api-Key on the sync routes': [
    [accounting, 'missing-key', { headers: {} }],
    [treasury, 'unknown-key', { headers: { 'X-Api-Key': 'other' } }],
  ],
  'another method': [
    [accounting, 'method-not-allowed', { method: 'POST' }],
    [treasury, 'method-not-allowed', { method: 'DELETE' }],
    ['plugins/events', 'method-not-allowed', { method: 'PUT' }],
  ],
  'a parameter given twice, a number that is no integer, an `afterDocumentId` that is no UUID, or without `from` names no document':
    [
      [`${accounting}&from=2026-01-02`, 'bad-parameter'],
      [`${accounting}&documentTypeId=E31`, 'bad-parameter'],
      [`${accounting}&documentTypeId=31.5`, 'bad-parameter'],
      [`${accounting}&pageSize=x`, 'bad-parameter'],
      [`${treasury}?afterDocumentId=1`, 'bad-parameter'],
      [`${treasury}?afterDocumentId=${UUID}`, 'unknown-cursor'],
    ],
  'pageSize outside 1 to 500, a date that cannot be read, a missing `from` or `to` on accounting-sync': [
    [`${accounting}&pageSize=0`, 'bad-page-size'],
    [`${accounting}&pageSize=501`, 'bad-page-size'],
    ['documents/accounting-sync?from=2026-02-30&to=2026-12-31', 'bad-date'],
    ['documents/accounting-sync?to=2026-12-31', 'missing-parameter'],
    ['documents/accounting-sync?from=2026-01-01', 'missing-parameter'],
  ],
}

test('docs/spec/readings.md names every refusal under "Sandbox choices", and the sandbox gives each', async () => {
  const { sandbox } = await runningSandbox()
  const asked = async (path: string, init: RequestInit = {}) => {
    const headers = { 'X-Api-Key': sandbox.apiKey }
    const answer = await fetch(`${sandbox.url}/api/v1/${path}`, { headers, ...init })
    const { error } = (await answer.json()) as { error?: { code: string; message: string } }
    expect(error === undefined || error.message !== '', path).toBe(true)
    return [path, answer.status, error?.code ?? '', answer.headers.get('allow') !== null]
  }
  expect([...refusals().keys()].sort()).toEqual(Object.keys(MEETING).sort())
  for (const [point, status] of refusals())
    for (const [path, code, init] of MEETING[point] ?? [])
      expect(await asked(path, init)).toEqual([path, status, code, status === 405])
  // A refusal of the specification itself, and an accepted request.
  const backwards = 'documents/accounting-sync?from=2026-02-02&to=2026-02-01'
  expect(await asked(backwards)).toEqual([backwards, 400, 'bad-range', false])
  for (const path of [
    ...[accounting, treasury, `${treasury}?from=2026-01-01&afterDocumentId=${UUID}`],
    'documents/accounting-sync?from=20260101&to=2026-W53-5',
    'documents/accounting-sync?from=2026001T0000Z&to=2026-12-31T24:00Z',
  ])
    expect(await asked(path)).toEqual([path, 200, '', false])
})
