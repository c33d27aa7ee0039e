import { expect, it } from 'vitest'
import { ConnectionBook } from '#core/connections.ts'
import { memorySecrets, memorySettings } from '../../support/memory-settings.ts'
import { aConnection } from '../../support/records.ts'

async function book(environment: Record<string, string> = {}) {
  const settings = memorySettings()
  const { secrets, values } = memorySecrets()
  const connections = new ConnectionBook(settings, secrets, environment)
  await connections.load()
  return { connections, secrets: values, settings: () => connections.shown(settings.get()) }
}

it('credentials of a connection: absent keeps the present one, null forgets it', async () => {
  const { connections, secrets } = await book()
  await connections.save(aConnection({ apiKey: 'k-1', pluginToken: 't-1' }))
  await connections.save(aConnection({ previousName: 'main', name: 'other', apiKey: null }))
  expect(connections.find('other').secrets).toEqual({ apiKey: null, pluginToken: 't-1' })
  expect([...secrets]).toEqual([['connection:other:pluginToken', 't-1']])
  await connections.remove('other')
  expect([secrets.size, connections.all()]).toEqual([0, []])
})

it('credentials of a connection: come from the environment where none is stored, and are not stored thereby', async () => {
  const { connections, secrets, settings } = await book({ ACUSE_API_KEY: 'env', ACUSE_PLUGIN_TOKEN: '' })
  await connections.save(aConnection())
  expect(settings().connections[0]).toMatchObject({ apiKey: 'environment', pluginToken: 'none' })
  expect(connections.find('main').secrets).toEqual({ apiKey: 'env', pluginToken: null })
  await connections.save(aConnection({ previousName: 'main', zone: 'UTC' }))
  expect(secrets.size).toBe(0)
  await connections.save(aConnection({ previousName: 'main', apiKey: 'own' }))
  expect(connections.find('main').secrets.apiKey).toBe('own')
  expect(settings().connections[0]?.apiKey).toBe('stored')
})

it('what is refused: a name that is taken', async () => {
  const { connections } = await book()
  await connections.save(aConnection())
  await expect(connections.save(aConnection())).rejects.toMatchObject({ code: 'conflict' })
  await expect(connections.save(aConnection({ previousName: 'x' }))).rejects.toMatchObject({
    code: 'not-found',
  })
})

it.each([
  ['an endpoint that there is not', { endpoints: ['default', 'nope'] }, 'endpoints.1'],
  ['a field that the projection has not', { ignoredFields: ['Amount'] }, 'ignoredFields.0'],
  ['a base URL with a query', { baseUrl: 'https://api.example.test/?tenant=1' }, 'baseUrl'],
  ["a route's own address", { baseUrl: 'https://x.test/api/v1/documents/accounting-sync/' }, 'baseUrl'],
])('what is refused: %s', async (_, change, path) => {
  const { connections } = await book()
  const refusal = { code: 'bad-params', details: { path } }
  await expect(connections.save(aConnection(change))).rejects.toMatchObject(refusal)
  expect(connections.all()).toEqual([])
})

it('what is refused: but not a slash at the end of the base URL', async () => {
  const { connections, settings } = await book()
  await connections.save(aConnection({ baseUrl: 'https://api.example.test/base//' }))
  expect(settings().connections[0]?.baseUrl).toBe('https://api.example.test/base')
})
