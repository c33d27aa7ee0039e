import { beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_ANSWER } from '#contract/defaults.ts'
import { EndpointBook } from '#core/endpoints.ts'
import type { SettingsStore } from '#core/ports.ts'
import { memorySecrets, memorySettings } from '../../support/memory-settings.ts'

const erp = { name: 'erp', path: '/erp', enabled: true, answer: DEFAULT_ANSWER }

describe('the endpoint book', () => {
  let settings: SettingsStore
  let memory: ReturnType<typeof memorySecrets>
  let book: EndpointBook

  beforeEach(async () => {
    settings = memorySettings()
    memory = memorySecrets()
    book = new EndpointBook(settings, memory.secrets)
    await book.load()
  })

  it('forgets the value before last when a rotation starts anew', async () => {
    await book.setSecret('default', 'X-S', 'a', false)
    await book.setSecret('default', 'X-S', 'b', true)
    await book.setSecret('default', 'X-S', 'c', true)
    expect(book.all()[0]?.accepted).toEqual(['c', 'b'])
  })

  it('takes the secret along when an endpoint is renamed', async () => {
    await book.save(erp)
    await book.setSecret('erp', 'X-S', 'value', false)
    await book.save({ ...erp, previousName: 'erp', name: 'accounting' })
    expect(book.all().find((rule) => rule.name === 'accounting')?.accepted).toEqual(['value'])
    expect([...memory.values.keys()]).toEqual(['endpoint:accounting:current'])
  })

  it('removes an endpoint with its secret', async () => {
    await book.save(erp)
    await book.setSecret('erp', 'X-S', 'value', false)
    await book.remove('erp')
    expect(book.all()).toHaveLength(1)
    expect(memory.values.size).toBe(0)
    await expect(book.remove('erp')).rejects.toMatchObject({ code: 'not-found' })
  })
})
