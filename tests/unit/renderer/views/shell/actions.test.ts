import { describe, expect, it } from 'vitest'
import { actions as english } from '../../../../../renderer/src/i18n/en/actions.ts'
import { actions as spanish } from '../../../../../renderer/src/i18n/es/actions.ts'
import { ROUTES } from '../../../../../renderer/src/routes.tsx'
import { PARTS } from '../../../../../renderer/src/views/sandbox/sections.ts'
import { SECTIONS } from '../../../../../renderer/src/views/settings/sections.ts'
import type { Say } from '../../../../../renderer/src/views/shell/action.ts'
import { ACTIONS } from '../../../../../renderer/src/views/shell/actions.ts'

const ids = ACTIONS.map(({ id }) => id)

/** Looks a key up as i18next does; other screens' texts are told by their key. */
const sayFrom = (texts: object): Say => {
  const say = (key: string): string => {
    if (key.includes(':')) return key
    const value = key.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], texts)
    if (typeof value !== 'string') throw new Error(`no text ${key}`)
    return value
  }
  return say as unknown as Say
}

describe('the table of actions', () => {
  it('goes to every screen, every part of the sandbox and every section of the settings', () => {
    for (const { name } of ROUTES) expect(ids).toContain(`go-${name}`)
    for (const name of Object.values(PARTS).flat()) expect(ids).toContain(`sandbox-${name}`)
    for (const name of SECTIONS) expect(ids).toContain(`settings-${name}`)
  })
  it('counts Settings, which stands at the foot of the rail, last', () => {
    expect(ROUTES.at(-1)?.name).toBe('settings')
    expect(ACTIONS.find(({ id }) => id === 'go-settings')?.keys).toContainEqual([String(ROUTES.length)])
  })
  it('has no action and no key twice', () => {
    expect(new Set(ids).size).toBe(ids.length)
    const keys = ACTIONS.flatMap(({ keys }) => keys ?? []).map((sequence) => sequence.join(' '))
    expect(new Set(keys).size).toBe(keys.length)
  })
  it('has keys or something to do for each', () => {
    for (const { id, keys = [], run } of ACTIONS) expect(run !== undefined || keys.length > 0, id).toBe(true)
  })
  it.each([
    ['en', english],
    ['es', spanish],
  ])('has words for each in %s', (_, texts) => {
    const say = sayFrom(texts)
    for (const { label, also, group } of ACTIONS) {
      expect(label(say)).not.toBe('')
      expect(also?.(say)).not.toBe('')
      expect(say(`groups.${group}`)).not.toBe('')
    }
  })
  it('uses every text of an action, so that none is left of one that went', () => {
    const used = new Set<string>()
    const note = ((key: string) => {
      used.add(key)
      return key
    }) as unknown as Say
    for (const { label, also } of ACTIONS) {
      label(note)
      also?.(note)
    }
    for (const key of Object.keys(english.do)) expect(used).toContain(`do.${key}`)
    for (const key of Object.keys(english.also)) expect(used).toContain(`also.${key}`)
  })
})
