import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { storeFiles } from '#storage/disk/files.ts'
import { attempt, commit, ended, forward, ledgerOver, outcome } from './support.ts'

const text = (slice: { bytesBase64: string } | undefined) =>
  slice && Buffer.from(slice.bytesBase64, 'base64').toString()

test('an attempt comes back in full: request as sent, answer, phases, error', () => {
  const { ledger } = ledgerOver(1)
  const headers = ['Host', 'h', 'X-Key', 'topsecret', 'x-KEY', 'other', 'Odd', 'caf\xe9', 'Empty', '']
  const begun = attempt(5, { headers, secretNames: ['x-key'], bodySize: 2, again: true, tryNumber: 3 })
  ledger.commit({ ended: [], begun: [begun] })
  const { id, deliveryId, origin, target, method, url, startedAt, edited, again, tryNumber } = begun
  const sending = {
    ...{ id, deliveryId, origin, target, method, url, startedAt, edited, again, tryNumber },
    imported: false,
    ...{ tookUs: null, state: 'sending', status: null, ok: null },
    ...{ error: null, answerSize: null, answerDigest: null, answerLine: null },
  }
  const pending = { answer: null, address: null, reusedConnection: false }
  expect(ledger.attempt(5)).toMatchObject({ ...sending, ...pending })
  expect(ledger.attempts({ of: { delivery: 1 }, limit: 9 })).toEqual([sending])

  ledger.commit({ ended: [{ ...ended(begun), digest: 'd' }], begun: [] })
  const row = {
    ...sending,
    ...{ tookUs: 512, state: 'answered', status: 200, ok: true, answerSize: 11, answerDigest: 'd' },
  }
  expect(ledger.attempts({ of: { delivery: 1 }, limit: 9 })).toEqual([row])
  const shown = (name: string, value: string, masked = false) => ({ name, value, masked })
  expect(ledger.attempt(5)).toEqual({
    ...row,
    request: {
      headers: [
        ...[shown('Host', 'h'), shown('X-Key', '9 characters', true), shown('x-KEY', '5 characters', true)],
        ...[shown('Odd', 'caf\xe9'), shown('Empty', '')],
      ],
      size: 2,
    },
    answer: {
      ...{ status: 200, statusText: 'OK', kept: 11, truncated: false },
      headers: [shown('Content-Type', 'application/json'), shown('X-\xd1', '')],
    },
    ...{ timings: outcome().timings, address: '127.0.0.1:8080', reusedConnection: false },
  })
  expect(ledger.attempt(5, true)?.request.headers[1]).toEqual(shown('X-Key', 'topsecret'))
  expect(ledger.attempt(6)).toBeUndefined()
})

test('no answer, an answer that broke off, and one cut at its cap are told apart', () => {
  const { ledger } = ledgerOver(1)
  const [none, broken, cut] = [attempt(1), attempt(2), attempt(3)]
  const error = outcome(null).error
  const whole = outcome(200, 'abcdef')
  commit(
    ledger,
    [none, broken, cut],
    [
      { ...ended(none), ok: false, outcome: outcome(null), digest: null },
      { ...ended(broken), ok: false, outcome: { ...whole, error } },
      { ...ended(cut), outcome: { ...whole, answer: whole.answer && { ...whole.answer, size: 9_999 } } },
    ],
  )
  expect(ledger.attempt(1)).toMatchObject({ state: 'failed', status: null, error, answer: null })
  expect(ledger.attempt(2)).toMatchObject({ state: 'failed', status: 200, error, answer: { kept: 6 } })
  expect(ledger.attempt(3)).toMatchObject({
    state: 'answered',
    answerSize: 9_999,
    answer: { kept: 6, truncated: true },
  })
})

test('lists go by delivery, job or forward, newest first, beyond an attempt in either direction, failed ones alone', () => {
  const { ledger } = ledgerOver(2)
  ledger.saveForward(undefined, forward(), 0)
  const begun = Array.from({ length: 9 }, (_, i) =>
    attempt(i + 1, {
      deliveryId: (i % 2) + 1,
      origin: i < 3 ? { by: 'hand' } : i < 6 ? { by: 'job', job: 7 } : { by: 'forward', forward: 'to-erp' },
    }),
  )
  const ends = begun.map((one) => ended(one, 'done', one.id % 3 === 0 ? 500 : 200))
  commit(ledger, begun, ends)
  const ids = (query: Parameters<typeof ledger.attempts>[0]) => ledger.attempts(query).map(({ id }) => id)
  expect(ids({ of: { delivery: 1 }, limit: 9 })).toEqual([9, 7, 5, 3, 1])
  expect(ids({ of: { job: 7 }, limit: 9 })).toEqual([6, 5, 4])
  expect(ids({ of: { forward: 'to-erp' }, limit: 9 })).toEqual([9, 8, 7])
  expect(ids({ of: { forward: 'nobody' }, limit: 9 })).toEqual([])
  expect(ids({ of: { delivery: 1 }, before: 7, limit: 2 })).toEqual([5, 3])
  expect(ids({ of: { delivery: 1 }, after: 3, limit: 2 })).toEqual([5, 7])
  expect(ids({ of: { delivery: 1 }, after: 0, limit: 9 })).toEqual([1, 3, 5, 7, 9])
  expect(ids({ of: { delivery: 1 }, failed: true, limit: 9 })).toEqual([9, 3])
  expect(ids({ of: { job: 7 }, failed: true, limit: 9 })).toEqual([6])
  expect(ids({ of: { forward: 'to-erp' }, failed: true, after: 0, limit: 9 })).toEqual([9])
  const [last] = ledger.attempts({ of: { forward: 'to-erp' }, limit: 1 })
  expect(last?.origin).toEqual({ by: 'forward', forward: 'to-erp' })
})

test("bodies: the answer's and an edited request's are kept once, sliced; else the delivery's own is read", () => {
  const { store, folder, ledger } = ledgerOver(1)
  const editedBody = new TextEncoder().encode('edited body')
  const edited = { editedBody, edited: true }
  const begun = [attempt(1), attempt(2, { ...edited, bodySize: 11 }), attempt(3, edited)]
  const answers = ['', 'y'.repeat(3_000), 'y'.repeat(3_000)]
  const ends = begun.map((one, i) => ({ ...ended(one), outcome: outcome(200, answers[i]) }))
  commit(ledger, begun, ends)
  expect(ledger.attemptBody(1, 'request', 0, 100)).toEqual({ bytesBase64: 'eHg=', total: 2, problem: null })
  expect(ledger.attemptBody(1, 'answer', 0, 100)).toEqual({ bytesBase64: '', total: 0, problem: null })
  expect(text(ledger.attemptBody(2, 'request', 0, 6))).toBe('edited')
  expect(text(ledger.attemptBody(3, 'request', 7, 100))).toBe('body')
  expect(ledger.attemptBody(3, 'answer', 2_990, 100)).toMatchObject({ total: 3_000 })
  expect(text(ledger.attemptBody(3, 'answer', 2_990, 100))).toBe('y'.repeat(10))
  expect(ledger.attemptBody(4, 'answer', 0, 1)).toBeUndefined()
  expect(ledger.attempt(2)?.edited).toBe(true)
  store.captured.exec('DELETE FROM delivery')
  const gone = { bytesBase64: '', problem: expect.any(String) }
  expect(ledger.attemptBody(1, 'request', 0, 100)).toMatchObject(gone)
  ledger.close()
  using file = new DatabaseSync(storeFiles(folder).replays)
  expect(file.prepare('SELECT uses, length(bytes) AS size FROM body ORDER BY size').all()).toEqual([
    { uses: 2, size: 11 },
    { uses: 2, size: 3_000 },
  ])
})

test('attempts go with their deliveries, and bodies with the last attempt that used them', () => {
  const { store, ledger } = ledgerOver(3)
  const begun = [1, 2, 3, 4].map((id) => attempt(id, { deliveryId: id === 4 ? 2 : id }))
  const answers = ['shared', 'own', 'shared']
  const ends = begun.slice(0, 3).map((one, i) => ({ ...ended(one), outcome: outcome(200, answers[i]) }))
  commit(ledger, begun, ends)
  ledger.followDeletions()
  store.delete(1, 2)
  ledger.followDeletions()
  expect([1, 2, 3, 4].filter((id) => ledger.attempt(id))).toEqual([3, 4])
  expect(text(ledger.attemptBody(3, 'answer', 0, 99))).toBe('shared')
  ledger.commit({ ended: begun.slice(3).map((one) => ended(one)), begun: [] })
  store.delete(3)
  ledger.followDeletions()
  ledger.close()
  using file = new DatabaseSync(storeFiles(store.folder).replays)
  const left = 'SELECT (SELECT count(*) FROM attempt) + (SELECT count(*) FROM body) AS n'
  expect(file.prepare(left).get()).toEqual({ n: 0 })
})

test('attempts of a database set aside are kept: it may still be read back', () => {
  const { store, ledger } = ledgerOver(2)
  const one = attempt(1)
  commit(ledger, [one], [ended(one)])
  store.delete(2)
  ledger.followDeletions()
  store.captured.exec('DELETE FROM delivery; DELETE FROM meta')
  ledger.followDeletions()
  expect(ledger.attempt(1)).toBeDefined()
})

test('an answer body met again after its last attempt was forgotten is kept again', () => {
  const { store, ledger } = ledgerOver(2)
  for (const id of [1, 2]) {
    const one = attempt(id, { deliveryId: id })
    commit(ledger, [one], [ended(one)])
    if (id === 1) {
      store.delete(1)
      ledger.followDeletions()
    }
  }
  expect(text(ledger.attemptBody(2, 'answer', 0, 99))).toBe('{"ok":true}')
})

test.each([
  ['Error: no such customer\n    at handler', 500, 'Error: no such customer'],
  ['\r\n  \tñ'.padEnd(900, 'ñ'), 404, 'ñ'.repeat(200)],
  ['\x1f\x8b\x08', 500, null],
  ['', 500, null],
  ['fine', 200, null],
])('an answer that counts as failure tells its first line: %j', (body, status, line) => {
  const { ledger } = ledgerOver(1)
  const begun = attempt(5)
  commit(ledger, [begun], [{ ...ended(begun, 'done', status), outcome: outcome(status, body) }])
  expect(ledger.attempts({ of: { delivery: 1 }, limit: 9 })[0]?.answerLine).toBe(line)
})
