import { api } from '@/shared/live/api.ts'
import type { Action, Words } from './action.ts'

/** An action of one menu, made for what the menu was opened on. */
export const onThis = (id: string, title: Words, run: () => void, more: Partial<Action> = {}): Action => ({
  id,
  group: 'list',
  title,
  run,
  ...more,
})

export const copyAction = (id: string, title: Words, text: string | (() => Promise<string>)): Action =>
  onThis(id, title, () => {
    // The clipboard is not to be had: the platform says so itself.
    void (async () => api.copy(typeof text === 'string' ? text : await text()))().catch(() => undefined)
  })
