import { describe, expect, test } from 'vitest'
import { forwardForm } from '@/features/replays/forward-dialog.tsx'
import { judge, placeOf } from '@/shared/forms/form.ts'

describe('a forward while it is edited', () => {
  const formOf = (targets: readonly string[], defaultTarget: string | null) =>
    forwardForm(null, ['taken'], targets, defaultTarget)
  const form = formOf(['app'], null)
  const fresh = { ...form.first, name: 'erp' }
  const judged = (part: Partial<typeof fresh>) => judge(form, { ...fresh, ...part })

  test('a new one goes to the default target, or to the only one', () => {
    expect(formOf(['a', 'b'], 'b').first.targets).toEqual(['b'])
    expect([formOf(['a', 'b'], null).first.targets, fresh.targets]).toEqual([[], ['app']])
  })

  test('what it gives is what the contract takes; a target that it no longer sends to cannot answer', () => {
    const given = judged({ filter: ' group:invoices ', answerFrom: 'app' }).params
    expect(given).toMatchObject({ filter: 'group:invoices', answerFrom: 'app', whenDown: 'queue' })
    expect(judged({ answerFrom: 'gone' }).params?.answerFrom).toBeNull()
  })

  test('what the host would refuse is told', () => {
    const errors = (part: Partial<typeof fresh>) => Object.fromEntries(judged(part).wrong)
    expect([errors({}), errors({ name: 'taken' })]).toEqual([{}, { name: 'nameTaken' }])
    expect(errors({ filter: 'kind:' })).toEqual({ filter: 'filter' })
    expect(
      errors({ name: 'No', targets: [], concurrency: 65, answerFrom: 'app', answerTimeoutMs: 0 }),
    ).toEqual({
      name: 'name',
      targets: 'targets',
      concurrency: 'concurrency',
      answerTimeoutMs: 'answerTimeoutMs',
    })
    expect(errors({ answerTimeoutMs: null })).toEqual({})
  })

  test('a refused target is said where it was chosen', () => {
    const refused = (reason: string) =>
      placeOf(form, fresh, { code: 'bad-params', message: '', details: { path: 'targets.0', reason } })
    expect(refused('own-receiver')).toEqual(['targets', 'ownReceiver'])
    expect(refused('destination-refused')).toEqual(['targets', 'forbidden'])
  })
})
