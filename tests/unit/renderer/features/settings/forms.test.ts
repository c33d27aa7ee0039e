import { describe, expect, test } from 'vitest'
import { DEFAULT_TARGET } from '#contract/defaults.ts'
import type { Target } from '#contract/target.ts'
import { faultForm, targetForm } from '../../../../../renderer/src/features/settings/forms.ts'
import { judge, placeOf } from '../../../../../renderer/src/shared/forms/form.ts'
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

describe('a target while it is edited', () => {
  const form = targetForm(TARGET, ['other'], 'secret')
  const draft = form.first
  const wrongIn = (changed: typeof draft) => judge(form, changed).wrong

  test('unchanged, it is saved as it was, and its secret is kept by the value null', () => {
    expect(judge(form, draft)).toEqual({
      wrong: new Map(),
      params: { previousName: 'staging', ...TARGET },
      refusal: null,
    })
  })

  test('a secret that is typed replaces the one that was kept', () => {
    const headers = draft.headers.map((header, i) => (i === 0 ? { ...header, value: 'new' } : header))
    expect(judge(form, { ...draft, headers }).params?.headers[0]).toEqual({
      name: 'Authorization',
      value: 'new',
      secret: true,
    })
  })

  test('a new secret needs a value, a kept one does not', () => {
    expect(wrongIn(draft)).toEqual(new Map())
    const headers = [...draft.headers, newHeader({ name: 'X-Key', secret: true })]
    expect(wrongIn({ ...draft, headers }).get('header-value-2')).toBe('secretValue')
  })

  test('what was a secret is never sent back as an empty value in its place without being told', () => {
    const headers = draft.headers.map((header, i) => (i === 0 ? { ...header, secret: false } : header))
    expect(wrongIn({ ...draft, headers }).get('header-value-0')).toBe('secretValue')
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
    expect(Object.fromEntries(wrongIn(wrong))).toEqual({
      name: 'name',
      url: 'notHttp',
      method: 'method',
      remove: 'remove',
      connectMs: 'milliseconds',
      answerMs: 'milliseconds',
    })
    expect(wrongIn({ ...draft, name: 'other' }).get('name')).toBe('nameTaken')
    expect(judge(form, wrong).params).toBeUndefined()
  })

  test('a refusal stands at the field that it names', () => {
    const refusal = (code: 'conflict' | 'bad-params', path: string) => ({
      code,
      message: '',
      details: { path },
    })
    expect(placeOf(form, draft, refusal('conflict', 'name'))).toEqual(['name', 'nameTaken'])
    expect(placeOf(form, draft, refusal('bad-params', 'headers.2.value'))).toEqual([
      'header-value-2',
      'secretValue',
    ])
    expect(placeOf(form, draft, null)).toBeUndefined()
  })

  test('an address that is our own receiver is said where it was typed (Loop guard)', () => {
    const refused = (reason?: string) =>
      placeOf(form, draft, {
        code: 'bad-params',
        message: '',
        details: { path: 'url', ...(reason === undefined ? {} : { reason }) },
      })
    expect(refused('own-receiver')).toEqual(['url', 'ownReceiver'])
    expect(refused('destination-refused')).toEqual(['url', 'forbidden'])
    expect(refused()).toEqual(['url', 'notHttp'])
  })
})

describe('a fault while it is written', () => {
  const form = faultForm(() => 1_000)
  const judged = (part: Partial<typeof form.first>) => judge(form, { ...form.first, ...part })
  const fieldsIn = (part: Partial<typeof form.first>) => [...judged(part).wrong.keys()].sort()

  test('what it gives is what the contract takes', () => {
    for (const type of ['status', 'delay', 'hang', 'reset', 'close-mid-answer'] as const)
      expect(judged({ type, share: 12.5, next: 3, minutes: 2 }).params).toMatchObject({
        probability: 0.125,
        next: 3,
        until: 121_000,
        endpoint: null,
      })
  })

  test('what the host would refuse is told', () => {
    const wrong = { status: 99, share: 101, seed: null, filter: 'kind:', next: 0, minutes: 0 }
    expect(fieldsIn(wrong)).toEqual(['filter', 'minutes', 'next', 'seed', 'share', 'status'])
    expect(judged(wrong).params).toBeUndefined()
    // What is no number must not be taken for "no bound".
    expect(fieldsIn({ next: Number.NaN, minutes: Number.NaN })).toEqual(['minutes', 'next'])
    expect(fieldsIn({ type: 'delay', status: null, delayMs: 0 })).toEqual(['delayMs'])
  })
})
