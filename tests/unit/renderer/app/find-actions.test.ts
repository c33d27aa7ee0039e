import { expect, it } from 'vitest'
import { found, plain, scoreOf } from '@/app/find-things.ts'

const action = (id: string, label: string, also = '') => ({ id, label, also })
const ALL = [
  action('settings', 'Go to Settings', 'Ir a Ajustes'),
  action('retention', 'Settings: Retention', 'Ajustes: Retención'),
  action('receiver', 'Settings: Receiver', 'Ajustes: Receptor'),
  action('start', 'Start the receiver', 'Iniciar el receptor listen port'),
  action('dark', 'Theme: dark', 'Tema: oscuro'),
]
const ids = (typed: string, recent: readonly string[] = []) => found(typed, ALL, recent).map(({ id }) => id)

it('finding an action: takes the beginnings of words, in any order', () => {
  expect([ids('ret set')[0], ids('set ret')[0]]).toEqual(['retention', 'retention'])
  expect(ids('dark th')).toEqual(['dark'])
})
it('finding an action: finds by the other language, without accents and case', () => {
  expect([ids('RETENCION'), ids('oscuro')]).toEqual([['retention'], ['dark']])
  expect(plain('  Conciliación: ¡línea Ñ! ')).toBe('conciliacion linea n')
})
it('finding an action: forgives letters that were left out', () =>
  expect([ids('rcvr'), ids('thm drk')]).toEqual([['receiver', 'start'], ['dark']]))
it('finding an action: takes the initials of a name', () => expect(ids('gts')).toEqual(['settings']))
it('finding an action: puts its own name before other words for it, and a whole word before a part', () => {
  expect(scoreOf('listen', action('a', 'Listen'))).toBeGreaterThan(
    scoreOf('listen', action('b', 'Start', 'listen')),
  )
  expect(scoreOf('set', action('a', 'Set'))).toBeGreaterThan(scoreOf('set', action('b', 'Settings')))
})
it('finding an action: puts what was used last first among equals, and never before a better one', () => {
  expect(ids('receiver', ['start'])).toEqual(['start', 'receiver'])
  expect(ids('receiver', [])).toEqual(['receiver', 'start'])
})
it('finding an action: finds nothing when one word fits nowhere, and takes signs for no word', () => {
  expect(ids('settings zebra')).toEqual([])
  expect(ids('::')).toHaveLength(ALL.length)
})
