import { describe, expect, test } from 'vitest'
import { COMMANDS } from '#contract/commands.ts'
import {
  forwardDraftOf,
  forwardErrors,
  forwardOf,
} from '../../../../../renderer/src/features/replays/forward-draft.ts'
import { actionsOf } from '../../../../../renderer/src/features/replays/job-actions.ts'

describe('a forward while it is edited', () => {
  const fresh = { ...forwardDraftOf(null, ['app'], null), name: 'erp' }

  test('a new one goes to the default target, or to the only one', () => {
    expect(forwardDraftOf(null, ['a', 'b'], 'b').targets).toEqual(['b'])
    expect(forwardDraftOf(null, ['a', 'b'], null).targets).toEqual([])
    expect(fresh.targets).toEqual(['app'])
  })

  test('what it gives is what the contract takes', () => {
    const forward = forwardOf({ ...fresh, filter: ' group:invoices ', answerFrom: 'app' }, false)
    expect(forward).toMatchObject({ filter: 'group:invoices', answerFrom: 'app', whenDown: 'queue' })
    expect(COMMANDS['forwards.save'].params.safeParse(forward).success).toBe(true)
  })

  test('a target that it no longer sends to cannot answer', () => {
    expect(forwardOf({ ...fresh, answerFrom: 'gone' }, false)?.answerFrom).toBeNull()
  })

  test('what the host would refuse is told', () => {
    expect(forwardErrors(fresh, [])).toEqual(new Set())
    expect(forwardErrors(fresh, ['erp'])).toEqual(new Set(['taken']))
    expect(
      forwardErrors(
        { ...fresh, name: 'No', targets: [], concurrency: 65, answerFrom: 'app', answerTimeoutMs: 0 },
        [],
      ),
    ).toEqual(new Set(['name', 'targets', 'concurrency', 'answerTimeout']))
    expect(forwardErrors({ ...fresh, answerTimeoutMs: null }, [])).toEqual(new Set())
  })
})

test('a job offers what its state allows, the usual thing first', () => {
  expect(actionsOf({ state: 'running', failed: 3 })).toEqual(['pause', 'cancel'])
  expect(actionsOf({ state: 'paused', failed: 0 })).toEqual(['resume', 'cancel', 'remove'])
  expect(actionsOf({ state: 'stopped', failed: 2 })).toEqual(['resume', 'cancel', 'retryFailed', 'remove'])
  expect(actionsOf({ state: 'done', failed: 0 })).toEqual(['remove'])
  expect(actionsOf({ state: 'cancelled', failed: 1 })).toEqual(['retryFailed', 'remove'])
})
