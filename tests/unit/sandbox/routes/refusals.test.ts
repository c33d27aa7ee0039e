import { expect, test } from 'vitest'
import { runningSandbox } from '../../../support/running-sandbox.ts'

const RANGE = 'from=2026-01-01&to=2026-12-31'
const UUID = '5f0c1d2e-3b4a-4c5d-8e6f-000000000009'

test('every refusal that docs/spec/readings.md names under "Sandbox choices", and no other where it names none', async () => {
  const { sandbox } = await runningSandbox()
  const asked = async (
    path: string,
    init: RequestInit = {},
    key: string | null = sandbox.apiKey,
  ): Promise<string> => {
    const headers = { ...(key === null ? {} : { 'X-Api-Key': key }), ...init.headers }
    const answer = await fetch(`${sandbox.url}/api/v1/${path}`, { ...init, headers })
    const { error } = (await answer.json()) as { error?: { code: string; message: string } }
    expect(error === undefined || error.message !== '', path).toBe(true)
    return `${answer.status} ${error?.code ?? ''}`.trim()
  }
  const accounting = `documents/accounting-sync?${RANGE}`
  const treasury = 'documents/treasury-sync'
  for (const [path, said] of [
    [accounting, '200'],
    [treasury, '200'],
    ...['from=20260101&to=2026-W53-5', 'from=2026001T0000Z&to=2026-12-31T24:00Z'].map(
      (range) => [`documents/accounting-sync?${range}`, '200'] as const,
    ),
    ['documents/accounting-sync?to=2026-12-31', '400 missing-parameter'],
    ['documents/accounting-sync?from=2026-02-30&to=2026-12-31', '400 bad-date'],
    ['documents/accounting-sync?from=2026-02-02&to=2026-02-01', '400 bad-range'],
    [`${accounting}&from=2026-01-02`, '400 bad-parameter'],
    [`${accounting}&documentTypeId=E31`, '400 bad-parameter'],
    [`${accounting}&documentTypeId=31.5`, '400 bad-parameter'],
    [`${accounting}&pageSize=0`, '400 bad-page-size'],
    [`${accounting}&pageSize=501`, '400 bad-page-size'],
    [`${accounting}&pageSize=x`, '400 bad-parameter'],
    [`${treasury}?afterDocumentId=1`, '400 bad-parameter'],
    [`${treasury}?afterDocumentId=${UUID}`, '400 unknown-cursor'],
    [`${treasury}?from=2026-01-01&afterDocumentId=${UUID}`, '200'],
  ] as const)
    expect([path, await asked(path)]).toEqual([path, said])
  expect(await asked(accounting, {}, null)).toBe('401 missing-key')
  expect(await asked(accounting, {}, 'other')).toBe('401 unknown-key')
  for (const [path, method, allowed] of [
    [accounting, 'POST', 'GET'],
    [treasury, 'DELETE', 'GET'],
    ['plugins/events', 'PUT', 'POST'],
  ] as const) {
    const answer = await fetch(`${sandbox.url}/api/v1/${path}`, { method })
    expect([answer.status, answer.headers.get('allow')], path).toEqual([405, allowed])
  }
})
