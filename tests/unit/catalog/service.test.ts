import { expect, it } from 'vitest'
import { pluginAnswerText } from '#catalog/plugin-events.ts'
import { DOCUMENT_TYPES, PLUGIN_EVENT_TYPES, ROUTES, STATUSES } from '#catalog/service.ts'

it('States and transitions: four StatusId values have a meaning; any other is not shown', () =>
  expect([...STATUSES].map(([id, meaning]) => [id, meaning.en])).toEqual([
    [5, 'accepted in full'],
    [6, 'rejected'],
    [7, 'still being evaluated'],
    [8, 'accepted with observations'],
  ]))

it('Document type codes: are ten, each of one family', () => {
  const codes = (family: string) =>
    DOCUMENT_TYPES.filter((type) => type.family === family).map(({ code }) => code)
  expect(codes('invoice')).toEqual(['E31', 'E32', 'E44', 'E45', 'E46'])
  expect([codes('credit-note'), codes('debit-note')]).toEqual([['E34'], ['E33']])
  expect(codes('expense')).toEqual(['E41', 'E43', 'E47'])
  const expenses = DOCUMENT_TYPES.filter(({ family }) => family === 'expense').map(({ code, name }) => [
    code,
    name.en,
  ])
  expect(Object.fromEntries(expenses)).toEqual({
    E41: 'purchase',
    E43: 'minor expense',
    E47: 'foreign payment',
  })
})

it.each([
  ['accountingSync', 'GET', 'X-Api-Key', 'from date-time required; to date-time required'],
  ['treasurySync', 'GET', 'X-Api-Key', 'from date-time; afterDocumentId uuid; to date-time'],
  ['pluginEvents', 'POST', 'plugin token', ''],
] as const)('Endpoints: %s: %s with %s, by %s', (name, method, credential, own) => {
  const { parameters } = ROUTES[name]
  const shown = parameters.map((one) => `${one.name} ${one.type}${one.required ? ' required' : ''}`)
  const both = own === '' ? [] : ['documentTypeId integer', 'pageSize integer']
  expect(ROUTES[name]).toMatchObject({ method, credential })
  expect(shown.join('; ')).toBe([own, ...both].join('; '))
})

const LANGUAGES = ['en', 'es'] as const
const facts = { eventType: 'cobro.registrado', headerName: 'X-Plugin', redirected: true } as const

it.each(LANGUAGES)('%s: each status is explained, or said not to be shown', (language) => {
  const told = (status: number) => pluginAnswerText({ ...facts, status })[language]
  for (const status of [202, 302, 400, 401, 403, 404, 500]) expect(told(status)).toContain(String(status))
  for (const type of PLUGIN_EVENT_TYPES) expect(told(400)).toContain(type)
  expect(told(403)).toContain('X-Api-Key')
  for (const status of [401, 403]) expect(told(status)).toContain('X-Plugin')
  expect(told(302)).not.toBe(pluginAnswerText({ ...facts, status: 302, redirected: false })[language])
  expect(new Set([202, 302, 400, 401, 403, 500].map((status) => told(status).replace(/\d/g, ''))).size).toBe(
    6,
  )
})
