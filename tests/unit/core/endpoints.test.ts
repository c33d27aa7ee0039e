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

  it('accepts two values while rotating and one afterwards', async () => {
    await book.setSecret('default', 'X-Webhook-Secret', 'first', false)
    const rotating = await book.setSecret('default', 'X-Webhook-Secret', 'second', true)
    expect(rotating.endpoints[0]?.secret?.values).toBe(2)
    expect(book.all()[0]?.accepted).toEqual(['second', 'first'])
    await book.clearSecret('default', 'previous')
    expect(book.all()[0]?.accepted).toEqual(['second'])
    await book.clearSecret('default', 'all')
    expect([book.all()[0]?.accepted, memory.values.size]).toEqual([[], 0])
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

  it('never loses the default endpoint', async () => {
    await expect(book.remove('default')).rejects.toMatchObject({ code: 'conflict' })
    const moved = book.save({ ...erp, previousName: 'default', name: 'default', path: '/x' })
    await expect(moved).rejects.toMatchObject({ code: 'conflict' })
    expect(book.all()[0]?.path).toBe('/')
  })

  it('removes an endpoint with its secret', async () => {
    await book.save(erp)
    await book.setSecret('erp', 'X-S', 'value', false)
    await book.remove('erp')
    expect(book.all()).toHaveLength(1)
    expect(memory.values.size).toBe(0)
    await expect(book.remove('erp')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('goes on covering what came in a header that carried a secret once (Authentication, rule 1)', async () => {
    await book.setSecret('default', 'X-Old', 'first', false)
    await book.setSecret('default', 'X-New', 'second', false)
    expect([...book.secretHeaders()]).toEqual(['x-new', 'x-old'])
    await book.clearSecret('default', 'all')
    await book.save(erp)
    await book.setSecret('erp', 'X-Erp', 'third', false)
    await book.remove('erp')
    expect([...book.secretHeaders()].sort()).toEqual(['x-erp', 'x-new', 'x-old'])
    await book.setSecret('default', 'x-old', 'fourth', false)
    expect(settings.get().formerSecretHeaders).toEqual(['x-old', 'x-new', 'x-erp'])
  })
})
