import { expect, it } from 'vitest'
import { found, scoreOf } from '@/app/find-things.ts'

const action = (id: string, label: string, also = '') => ({ id, label, also })
const ALL = [
  action('settings', 'Go to Settings', 'Ir a Ajustes'),
  action('retention', 'Settings: Retention', 'Ajustes: Retención'),
  action('receiver', 'Settings: Receiver', 'Ajustes: Receptor'),
  action('start', 'Start the receiver', 'Iniciar el receptor listen port'),
  action('dark', 'Theme: dark', 'Tema: oscuro'),
]
const ids = (typed: string, recent: readonly string[] = []) => found(typed, ALL, recent).map(({ id }) => id)

it('finding an action: forgives letters that were left out', () =>
  expect([ids('rcvr'), ids('thm drk')]).toEqual([['receiver', 'start'], ['dark']]))
it('finding an action: takes the initials of a name', () => expect(ids('gts')).toEqual(['settings']))
it('finding an action: puts its own name before other words for it, and a whole word before a part', () => {
  expect(scoreOf('listen', action('a', 'Listen'))).toBeGreaterThan(
    scoreOf('listen', action('b', 'Start', 'listen')),
  )
  expect(scoreOf('set', action('a', 'Set'))).toBeGreaterThan(scoreOf('set', action('b', 'Settings')))
})
it('finding an action: finds nothing when one word fits nowhere, and takes signs for no word', () => {
  expect(ids('settings zebra')).toEqual([])
  expect(ids('::')).toHaveLength(ALL.length)
})
