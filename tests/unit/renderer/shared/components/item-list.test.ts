import i18next from 'i18next'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, test, vi } from 'vitest'
import { type Items, useItems } from '@/shared/components/item-list.tsx'
import { latestUndoable, useUndo } from '@/shared/live/undo.ts'

interface Thing {
  readonly name: string
  readonly secret: boolean
}
const OPEN: Thing = { name: 'open', secret: false }
const SECRET: Thing = { name: 'secret', secret: true }

await i18next.init({ lng: 'en' })
const did: string[] = []
beforeEach(() => {
  did.length = 0
  useUndo.setState({ offers: [] })
})

const View = (list: Items<Thing, never>) => useItems<Thing>(list).rows

/** A list of two things as it is drawn, and what removes them. */
function drawn(part: Partial<Items<Thing, never>> = {}) {
  const removals = new Map<string, () => void>()
  const list: Items<Thing, never> = {
    items: [OPEN, SECRET],
    words: {
      edit: (name) => `Edit ${name}`,
      remove: (name) => `Remove ${name}`,
      question: (name) => ({ title: `Remove ${name}?`, text: 'For good.', confirm: 'Yes' }),
    },
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
  const markup = renderToStaticMarkup(createElement(View, list))
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
  const bare = drawn({ words: { remove: String, question: () => ({ title: '', text: '', confirm: '' }) } })
  expect(bare.markup.split('<button')).toHaveLength(3)
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
