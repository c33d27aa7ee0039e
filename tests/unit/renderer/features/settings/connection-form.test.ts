import { describe, expect, test } from 'vitest'
import type { Connection } from '#contract/connection.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import { connectionForm } from '../../../../../renderer/src/features/settings/connection-form.ts'
import { judge, placeOf } from '../../../../../renderer/src/shared/forms/form.ts'

const CONNECTION: Connection = {
  ...DEFAULT_CONNECTION,
  name: 'produccion',
  baseUrl: 'https://api.example.com',
  apiKey: 'stored',
  kinds: ['factura.created'],
  proxy: 'http://proxy.example.com:3128',
  mapping: { documentId: '/Header/Id', voided: null },
  documentTypes: [{ id: 77, group: 'nota_credito' }],
}

describe('a connection while it is edited', () => {
  const form = connectionForm(CONNECTION, ['other'])
  const draft = form.first

  test('unchanged, it is saved as it was, and neither secret is named: both are kept', () => {
    const { apiKey, pluginToken, ...rest } = CONNECTION
    expect([apiKey, pluginToken]).toEqual(['stored', 'none'])
    expect(judge(form, draft)).toEqual({
      wrong: new Map(),
      params: { previousName: 'produccion', ...rest },
      refusal: null,
    })
  })

  test('a secret typed is sent, one forgotten is null, and what is typed wins', () => {
    const params = (part: Partial<typeof draft>) => judge(form, { ...draft, ...part }).params
    expect(params({ apiKey: { typed: 'k1', forget: false } })).toMatchObject({ apiKey: 'k1' })
    expect(params({ apiKey: { typed: '', forget: true } })).toMatchObject({ apiKey: null })
    expect(params({ pluginToken: { typed: 't', forget: true } })).toMatchObject({ pluginToken: 't' })
  })

  test('a slash at the end of the address goes; all 28 kinds are null', () => {
    const all = connectionForm({ ...CONNECTION, kinds: null }, [])
    const { params } = judge(all, { ...all.first, baseUrl: ' https://api.example.com// ' })
    expect(params?.baseUrl).toBe('https://api.example.com')
    expect(params?.kinds).toBeNull()
  })

  test('a new one lacks a name and an address, and nothing else', () => {
    const fresh = connectionForm(null, [])
    expect(Object.fromEntries(judge(fresh, fresh.first).wrong)).toEqual({ name: 'name', baseUrl: 'missing' })
  })

  test('what the host would refuse is told at its field', () => {
    const errors = (part: Partial<typeof draft>) => [...judge(form, { ...draft, ...part }).wrong]
    expect(errors({ name: 'other' })).toEqual([['name', 'nameTaken']])
    expect(errors({ baseUrl: 'ftp://x' })).toEqual([['baseUrl', 'notHttp']])
    expect(errors({ zone: 'Santo Domingo' })).toEqual([['zone', 'zone']])
    expect(errors({ apiKey: { typed: 'a\nb', forget: false } })).toEqual([['apiKey', 'secret']])
    expect(errors({ headerName: 'a b' })).toEqual([['headerName', 'header']])
    expect(errors({ scheme: 'two words' })).toEqual([['scheme', 'scheme']])
    expect(errors({ kinds: [] })).toEqual([['kinds', 'kinds']])
    expect(errors({ answerMs: 0 })).toEqual([['answerMs', 'milliseconds']])
    expect(errors({ proxyUrl: '' })).toEqual([['proxyUrl', 'proxy']])
    expect(errors({ issuedHours: 9_000 })).toEqual([['issuedHours', 'hours']])
    expect(errors({ returnedMinutes: null })).toEqual([['returnedMinutes', 'minutes']])
    expect(errors({ mapping: { ...draft.mapping, number: 'Number' } })).toEqual([
      ['mapping-number', 'pointer'],
    ])
  })

  test('an empty correction leaves a field as found, a hyphen says that there is none', () => {
    expect(draft.mapping).toMatchObject({ documentId: '/Header/Id', voided: '-', number: '' })
    const cleared = { ...draft, mapping: { ...draft.mapping, documentId: '', voided: '' } }
    expect(judge(form, cleared).params?.mapping).toBeNull()
  })

  test('document types are typed as type=group, and what is wrong is told while they are', () => {
    expect(draft.documentTypes).toBe('77=nota_credito')
    const typed = (documentTypes: string) => ({ ...draft, documentTypes })
    const saved = (text: string) => judge(form, typed(text)).params?.documentTypes
    expect(saved('31=factura, 34 = nota_credito')).toEqual([
      { id: 31, group: 'factura' },
      { id: 34, group: 'nota_credito' },
    ])
    expect(saved(' ')).toEqual([])
    const error = (text: string) => judge(form, typed(text)).wrong.get('documentTypes')
    expect(error('31=factura,')).toBeUndefined()
    expect(error('31')).toBe('typesForm')
    expect(error('E31=factura')).toBe('typesForm')
    expect(error('31=invoice')).toBe('typesGroup')
    expect(error('31=factura 31=gasto')).toBe('typesTwice')
    expect(error(Array.from({ length: 101 }, (_, id) => `${id}=gasto`).join())).toBe('typesMany')
    expect(judge(form, typed('31')).params).toBeUndefined()
  })

  test('a refusal that names a field is shown there', () => {
    const refusal = { code: 'conflict', message: '', details: { path: 'name' } } as const
    expect(placeOf(form, draft, refusal)).toEqual(['name', 'nameTaken'])
    expect(placeOf(form, draft, null)).toBeUndefined()
  })
})
