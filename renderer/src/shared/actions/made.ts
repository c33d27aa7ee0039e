import { api } from '@/shared/live/api.ts'
import { useCopying } from '@/shared/live/layers.ts'
import type { Action, Words } from './action.ts'

/** An action that exists only in one context menu, bound to the menu's subject. */
export const onThis = (id: string, title: Words, run: () => void, more: Partial<Action> = {}): Action => ({
  id,
  group: 'list',
  title,
  run,
  ...more,
})

export const copyAction = (id: string, title: Words, text: string | (() => Promise<string>)): Action =>
  onThis(id, title, () => {
    const { begin, tell } = useCopying.getState()
    const turn = begin()
    const copied = async () => {
      const words = typeof text === 'string' ? text : await text()
      await api.copy(words)
      tell(turn, { state: 'copied', text: words })
    }
    copied().catch(() => tell(turn, { state: 'failed', refusal: null }))
  })
