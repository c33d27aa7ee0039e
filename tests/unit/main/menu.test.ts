import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it } from 'vitest'
import { type MenuActions, type MenuState, menuTemplate } from '../../../src/main/menu.ts'
import { menuLanguage } from '../../../src/main/menu-labels.ts'

type Item = MenuItemConstructorOptions
const done: string[] = []
const actions: MenuActions = {
  goTo: (screen) => void done.push(`go ${screen}`),
  press: (key, held = []) => void done.push(`press ${[...held, key].join('+')}`),
  both: (role, key) => void done.push(`${role} and ${key}`),
  newWindow: () => void done.push('new window'),
  setTheme: (theme) => void done.push(`theme ${theme}`),
  setLanguage: (language) => void done.push(`language ${language}`),
  startReceiver: () => void done.push('start'),
  stopReceiver: () => void done.push('stop'),
  copyAddress: () => void done.push('copy'),
  showDataFolder: () => void done.push('folder'),
}
const build = (state: Partial<MenuState> = {}) =>
  menuTemplate(
    {
      language: 'en',
      platform: 'linux',
      listening: true,
      appearance: { theme: 'dark', language: 'system' },
      ...state,
    },
    actions,
  )
const flat = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])])
const find = (items: readonly Item[], id: string) => flat(items).find((item) => item.id === id)

describe('the application menu', () => {
  it('has a word for every item in both languages', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const words = (language: 'en' | 'es') =>
        flat(build({ platform, language }))
          .filter((item) => item.type !== 'separator')
          .map((item) => item.label ?? '')
      expect(words('en').every((word) => word !== '')).toBe(true)
      expect(words('es').length).toBe(words('en').length)
      expect(words('es').filter((word, at) => word === words('en')[at])).toEqual(
        // The product's name, and the words of its vocabulary that Spanish takes over.
        platform === 'darwin' ? ['Acuse', 'Sandbox', 'Plugins'] : ['Sandbox', 'Plugins'],
      )
    }
  })
  it('gives no key twice', () => {
    const keys = flat(build()).flatMap((item) => item.accelerator ?? [])
    expect(new Set(keys).size).toBe(keys.length)
  })
  it('shows the keys of the page without taking them from it', () => {
    const next = find(build(), 'next')
    expect(next?.accelerator).toBe('J')
    expect(next?.registerAccelerator).toBe(false)
    const onMac = find(build({ platform: 'darwin' }), 'next')
    expect(onMac?.accelerator).toBeUndefined()
    expect(onMac?.label).toContain('(J)')
    expect(find(build({ platform: 'darwin' }), 'palette')?.label).toContain('(⌘K)')
  })
  it.each([
    ['next', 'press j'],
    ['previous', 'press k'],
    ['find', 'press /'],
    ['open', 'press Enter'],
    ['closeDetails', 'press Escape'],
    ['pause', 'press Space'],
    ['compare', 'press c'],
    ['tags', 'press l'],
    ['note', 'press m'],
    ['delete', 'press Delete'],
    ['deleteShown', 'press shift+Delete'],
    ['replaySheet', 'press shift+R'],
    ['timeline', 'press t'],
    ['palette', 'press control+K'],
    ['plugins', 'go plugins'],
    ['drift', 'go drift'],
    ['clearFilter', 'go stream?filter='],
    ['emit', 'go sandbox/emit'],
    ['newWindow', 'new window'],
    ['inWindow', 'press control+Enter'],
    ['themeLight', 'theme light'],
    ['languageEs', 'language es'],
    ['shortcuts', 'press ?'],
    ['stream', 'go stream'],
    ['settings', 'go settings'],
    ['settings-retention', 'go settings/retention'],
    ['sort-tags', 'go stream?sort=tags'],
    ['startReceiver', 'start'],
    ['stopReceiver', 'stop'],
    ['address', 'copy'],
    ['dataFolder', 'folder'],
  ])('%s does "%s"', (id, expected) => {
    done.length = 0
    const click = find(build(), id)?.click as (() => void) | undefined
    click?.()
    expect(done).toEqual([expected])
  })
  it('offers to start or to stop, as the receiver stands', () => {
    const offered = (listening: boolean) =>
      ['startReceiver', 'stopReceiver'].filter((id) => find(build({ listening }), id)?.visible)
    expect(offered(true)).toEqual(['stopReceiver'])
    expect(offered(false)).toEqual(['startReceiver'])
    expect(find(build({ listening: false }), 'address')?.enabled).toBe(false)
  })
})

describe('its language', () => {
  it.each([
    ['system', 'es-ES', 'es'],
    ['system', 'es', 'es'],
    ['system', 'en-GB', 'en'],
    ['system', 'est', 'en'],
    ['es', 'en-US', 'es'],
    ['en', 'es-MX', 'en'],
  ] as const)('chosen %s with locale %s: %s', (chosen, locale, expected) =>
    expect(menuLanguage(chosen, locale)).toBe(expected),
  )
})
