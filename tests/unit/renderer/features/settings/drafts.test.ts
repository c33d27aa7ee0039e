import { describe, expect, test } from 'vitest'
import { COMMANDS } from '#contract/commands.ts'
import { DEFAULT_TARGET } from '#contract/defaults.ts'
import type { Target } from '#contract/target.ts'
import {
  FIRST_FAULT,
  faultErrors,
  faultOf,
} from '../../../../../renderer/src/features/settings/fault-draft.ts'
import {
  refusedTargetField,
  targetDraftOf,
  targetErrors,
  targetParamsOf,
} from '../../../../../renderer/src/features/settings/target-draft.ts'
import { newHeader } from '../../../../../renderer/src/shared/headers/header-draft.ts'

const TARGET: Target = {
  ...DEFAULT_TARGET,
  name: 'staging',
  url: 'https://staging.example.com/in',
  headers: [
    { name: 'Authorization', value: null, secret: true },
    { name: 'X-Env', value: 'test', secret: false },
  ],
  remove: ['Cookie'],
}

describe('a target while it is edited (issue C, point 2)', () => {
  const draft = targetDraftOf(TARGET, 'secret')

  test('unchanged, it is saved as it was, and its secret is kept by the value null', () => {
    const params = targetParamsOf(draft, TARGET)
    expect(params).toEqual({ previousName: 'staging', ...TARGET })
    expect(COMMANDS['targets.save'].params.safeParse(params).success).toBe(true)
  })

  test('a secret that is typed replaces the one that was kept', () => {
    const headers = draft.headers.map((header, i) => (i === 0 ? { ...header, value: 'new' } : header))
    expect(targetParamsOf({ ...draft, headers }, TARGET)?.headers[0]).toEqual({
      name: 'Authorization',
      value: 'new',
      secret: true,
    })
  })

  test('a new secret needs a value, a kept one does not', () => {
    expect(targetErrors(draft, [])).toEqual(new Map())
    const headers = [...draft.headers, newHeader({ name: 'X-Key', secret: true })]
    expect(targetErrors({ ...draft, headers }, []).get('header-value-2')).toBe('secretValue')
  })

  test('what was a secret is never sent back as an empty value in its place without being told', () => {
    const headers = draft.headers.map((header, i) => (i === 0 ? { ...header, secret: false } : header))
    expect(targetErrors({ ...draft, headers }, []).get('header-value-0')).toBe('secretValue')
  })

  test('names, addresses, methods and times that the host would refuse are told', () => {
    const wrong = {
      ...draft,
      name: 'A',
      url: 'ftp://x/',
      method: 'A B',
      remove: 'a b:',
      connectMs: 0,
      answerMs: null,
    }
    expect(Object.fromEntries(targetErrors(wrong, []))).toEqual({
      name: 'name',
      url: 'notHttp',
      method: 'method',
      remove: 'remove',
      connectMs: 'milliseconds',
      answerMs: 'milliseconds',
    })
    expect(targetErrors(draft, ['staging']).get('name')).toBe('nameTaken')
    expect(targetParamsOf(wrong, null)).toBeUndefined()
  })

  test('a refusal stands at the field that it names', () => {
    const refusal = (code: 'conflict' | 'bad-params', path: string) => ({
      code,
      message: '',
      details: { path },
    })
    expect(refusedTargetField(refusal('conflict', 'name'))).toEqual(new Map([['name', 'nameTaken']]))
    expect(refusedTargetField(refusal('bad-params', 'headers.2.value'))).toEqual(
      new Map([['header-value-2', 'secretValue']]),
    )
    expect(refusedTargetField(null)).toEqual(new Map())
  })
})

describe('a fault while it is written (issue C, point 7)', () => {
  test('what it gives is what the contract takes', () => {
    for (const type of ['status', 'delay', 'hang', 'reset', 'close-mid-answer'] as const) {
      const rule = faultOf({ ...FIRST_FAULT, type, share: 12.5, next: 3, minutes: 2 }, 1_000)
      expect(rule).toMatchObject({ probability: 0.125, next: 3, until: 121_000, endpoint: null })
      expect(COMMANDS['faults.add'].params.safeParse(rule).success).toBe(true)
    }
  })

  test('what the host would refuse is told', () => {
    const wrong = { ...FIRST_FAULT, status: 99, share: 101, seed: null, filter: 'kind:', next: 0, minutes: 0 }
    expect(faultErrors(wrong)).toEqual(new Set(['status', 'share', 'seed', 'filter', 'next', 'minutes']))
    expect(faultOf(wrong, 0)).toBeNull()
    // What is no number must not be taken for "no bound".
    const typed = { ...FIRST_FAULT, next: Number.NaN, minutes: Number.NaN }
    expect(faultErrors(typed)).toEqual(new Set(['next', 'minutes']))
    expect(faultErrors({ ...FIRST_FAULT, type: 'delay', status: null, delayMs: 0 })).toEqual(
      new Set(['delay']),
    )
  })
})
