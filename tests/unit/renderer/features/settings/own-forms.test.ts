import { describe, expect, it } from 'vitest'
import { DEFAULT_ENDPOINT, DEFAULT_SETTINGS } from '#contract/defaults.ts'
import {
  budgetForm,
  maskingForm,
  receiverForm,
  secretForm,
  tlsForm,
} from '../../../../../renderer/src/features/settings/own-forms.ts'
import { judge } from '../../../../../renderer/src/shared/forms/form.ts'

const { receiver, retention } = DEFAULT_SETTINGS

describe('the forms that stand in the settings', () => {
  it('save only what was changed of the receiver', () => {
    const form = receiverForm(receiver)
    const params = (part: object) => judge(form, { ...form.first, ...part }).params
    expect(params({})).toEqual({ receiver: {} })
    expect(params({ host: ' ::1 ', bodyLimit: 0.5 })).toEqual({
      receiver: { host: '::1', bodyLimit: 524_288 },
    })
  })

  it.each([
    [{ host: '' }, 'host'],
    [{ host: 'a b' }, 'host'],
    [{ port: 65_536 }, 'port'],
    [{ port: null }, 'port'],
    [{ bodyLimit: 0 }, 'bodyLimit'],
    [{ maxConnections: 9 }, 'maxConnections'],
    [{ maxConnectionsPerAddress: 50_001 }, 'maxConnectionsPerAddress'],
  ])('tell %j of the receiver at %s', (part, field) => {
    const form = receiverForm(receiver)
    expect(Object.fromEntries(judge(form, { ...form.first, ...part }).wrong)).toEqual({ [field]: field })
  })

  it.each([
    [null, { mode: 'off', certificate: '', key: '' }],
    [{ certificate: 'generated' as const }, { mode: 'generated', certificate: '', key: '' }],
    [
      { certificate: '/a.pem', key: '/b.pem' },
      { mode: 'files', certificate: '/a.pem', key: '/b.pem' },
    ],
  ])('give back the certificate %j as it was', (tls, draft) => {
    const form = tlsForm(tls)
    expect(form.first).toEqual(draft)
    expect(judge(form, form.first).params).toEqual({ receiver: { tls } })
  })

  it('tell that the files of a certificate are missing', () => {
    const form = tlsForm(null)
    expect([
      ...judge(form, { mode: 'files', certificate: '', key: '' } as typeof form.first).wrong.keys(),
    ]).toContain('certificate')
  })

  it('take the budget in GB and refuse one that holds no large delivery', () => {
    const form = budgetForm(retention)
    const judged = (budgetBytes: number | null) =>
      judge(form, { overBudget: 'refuse', budgetBytes } as typeof form.first)
    expect(judged(1.5).params).toEqual({ retention: { overBudget: 'refuse', budgetBytes: 1_500_000_000 } })
    for (const wrong of [null, 0.009]) expect(judged(wrong).wrong.get('budgetBytes')).toBe('budgetBytes')
  })

  it('take masked names however they are parted, and refuse one that names nothing', () => {
    const form = maskingForm({ names: ['X-A'] })
    expect(judge(form, { names: ' X-A,\n!key\n' }).params).toEqual({ masking: { names: ['X-A', '!key'] } })
    expect(judge(form, { names: 'X-A !' }).wrong.get('names')).toBe('names')
  })

  it('ask for the value of a secret, and say when it cannot be sent', () => {
    const form = secretForm(DEFAULT_ENDPOINT)
    const wrong = (value: string) => judge(form, { ...form.first, value }).wrong.get('value')
    expect(['', 'á€', 'ok'].map(wrong)).toEqual(['missing', 'value', undefined])
    expect(judge(form, { ...form.first, value: 's', header: 'a b' }).wrong.get('header')).toBe('header')
  })
})
