import i18next, { type ResourceLanguage } from 'i18next'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { beforeEach, expect, test, vi } from 'vitest'
import { ItemCard, type Items } from '@/shared/components/item-list.tsx'
import { latestUndoable, useUndo } from '@/shared/live/undo.ts'
import components from '@/shared/texts/en/components.json'

interface Thing {
  readonly name: string
  readonly secret: boolean
}
const OPEN: Thing = { name: 'open', secret: false }
const SECRET: Thing = { name: 'secret', secret: true }

const en: ResourceLanguage = { components }
const i18n = i18next.createInstance()
await i18n.init({ lng: 'en', resources: { en } })
await i18next.init({ lng: 'en' })
const did: string[] = []
beforeEach(() => {
  did.length = 0
  useUndo.setState({ offers: [] })
})

/** A list of two things as it is drawn, and what removes them. */
function drawn(part: Partial<Items<Thing, never>> = {}) {
  const removals = new Map<string, () => void>()
  const list: Items<Thing, never> = {
    items: [OPEN, SECRET],
    dialog: () => null,
    say: (word, { name }) => `${word} ${name}`,
    line: ({ name, secret }, { remove }) => {
      removals.set(name, remove)
      return { address: `at ${name}`, facts: ['one', secret && 'secret', null] }
    },
    remove: async ({ name }) => void did.push(`removed ${name}`),
    undo: {
      of: 'target',
      takes: ({ secret }) => !secret,
      putBack: async ({ name }) => void did.push(`put back ${name}`),
    },
    ...part,
  }
  const card = createElement(ItemCard<Thing>, { title: 'Things', none: 'None.', ...list })
  const markup = renderToStaticMarkup(createElement(I18nextProvider, { i18n }, card))
  return { markup, remove: (name: string) => removals.get(name)?.() }
}

test('each thing has its name, its facts and its buttons; what is false or null is no fact', () => {
  const { markup } = drawn()
  const [, open = '', secret = ''] = markup.split('<li')
  for (const [item, name] of [[open, 'open'] as const, [secret, 'secret'] as const])
    for (const part of [
      `${name}</b>`,
      `aria-label="Edit ${name}"`,
      `aria-label="Remove ${name}"`,
      `at ${name}`,
    ])
      expect(item).toContain(part)
  expect(open).toContain('<span>one</span></p>')
  expect(secret).toContain('<span>one</span><span>secret</span>')
  const enabled = { of: ({ secret }: Thing) => secret, set: async () => undefined }
  expect(drawn({ enabled }).markup.match(/aria-checked="\w+"/g)).toEqual([
    'aria-checked="false"',
    'aria-checked="true"',
  ])
  expect(drawn({ items: [] }).markup).toContain('None.')
  expect(drawn({ line: () => ({ after: 'kept' }) }).markup).not.toContain('Remove')
})

test('a thing that can be put back goes at once and leaves its way back; another is asked about first', async () => {
  const { remove } = drawn()
  remove('secret')
  remove('open')
  await vi.waitFor(() => expect(useUndo.getState().offers).toHaveLength(1))
  expect(did).toEqual(['removed open'])
  await latestUndoable()?.undo()
  expect(did).toEqual(['removed open', 'put back open'])
})

test('a thing that the host keeps leaves no way back', async () => {
  const refused = vi.fn(() => Promise.reject(new Error('kept')))
  drawn({ remove: refused }).remove('open')
  await vi.waitFor(() => expect(refused).toHaveBeenCalledOnce())
  expect(useUndo.getState().offers).toEqual([])
})
