import { afterEach, describe, expect, it } from 'vitest'
import { appMenuSchema, HOST_ACTS } from '#contract/app-menu.ts'
import { ACTIONS, actionsHere } from '@/app/actions.ts'
import { appMenu } from '@/app/app-menu.ts'
import { ROUTES } from '@/app/routes.tsx'
import english from '@/app/texts/en/actions.json'
import spanish from '@/app/texts/es/actions.json'
import { PARTS } from '@/features/sandbox/sections.ts'
import { SECTIONS } from '@/features/settings/sections.ts'
import { type Action, keysOf, pressedKey, type Say, wordsOf } from '@/shared/actions/action.ts'
import { useRoute } from '@/shared/live/route.ts'

const ids = ACTIONS.map(({ id }) => id)

/** Looks a key up as i18next does; returns the key itself for other screens' texts. */
const sayFrom = (texts: object): Say => {
  const say = (key: string): string => {
    if (key.includes(':')) return key
    const value = key.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], texts)
    if (typeof value !== 'string') throw new Error(`no text ${key}`)
    return value
  }
  return say as unknown as Say
}
const BOTH = [
  ['en', english],
  ['es', spanish],
] as const
const written = (action: Action, native = true) =>
  keysOf(action, { native }).map((sequence) => sequence.join(' '))

afterEach(() => useRoute.setState({ screen: '', section: null }))

describe('the actions of the window', () => {
  it('go to every screen, every part of the sandbox and every section of the settings', () => {
    for (const { name } of ROUTES) expect(ids).toContain(`go-${name}`)
    for (const name of Object.values(PARTS).flat()) expect(ids).toContain(`sandbox-${name}`)
    for (const name of SECTIONS) expect(ids).toContain(`settings-${name}`)
  })
  it('have no id and no key twice', () => {
    expect(new Set(ids).size).toBe(ids.length)
    const keys = ACTIONS.flatMap((action) => [
      ...written(action),
      ...(action.hiddenKeys ?? []).map((sequence) => sequence.join(' ')),
    ])
    expect(new Set(keys).size).toBe(keys.length)
  })
  it.each(BOTH)('have words for each in %s', (_, texts) => {
    const say = sayFrom(texts)
    for (const { title, short = title, also = title, group } of ACTIONS)
      for (const words of [title, short, also, `groups.${group}` as const])
        expect(wordsOf(words, say)).not.toBe('')
  })
  it('use every text of an action, so that none is left of one that went', () => {
    const used = new Set<string>()
    const note = ((key: string) => {
      used.add(key)
      return key
    }) as unknown as Say
    for (const { title, also = title } of ACTIONS) for (const words of [title, also]) wordsOf(words, note)
    for (const mac of [false, true]) appMenu(note, mac)
    for (const part of ['do', 'also', 'menu', 'roles'] as const)
      for (const key of Object.keys(english[part])) expect(used).toContain(`${part}.${key}`)
  })
})

describe('a window of one delivery', () => {
  const here = () => {
    useRoute.setState({ screen: 'delivery', section: '42' })
    return actionsHere()
  }
  it('has the actions of a delivery, of how it looks, and of help; nothing of a list or of another screen', () => {
    const idsOf = (group: string) => here().flatMap((action) => (action.group === group ? action.id : []))
    expect(idsOf('delivery')).toEqual([
      ...['goToPlace', 'pin', 'tags', 'note', 'compare', 'replay', 'replaySheet'],
      ...['copyText', 'copyJson', 'copyNdjson', 'copyCurl', 'copyCurlSecrets'],
    ])
    for (const group of ['list', 'go', 'receiver']) expect(idsOf(group), group).toEqual([])
    expect(idsOf('service')).toEqual(['export'])
    for (const group of ['look', 'help'])
      expect(idsOf(group), group).toEqual(
        ids.filter((id) => ACTIONS.find((a) => a.id === id)?.group === group),
      )
  })
})

describe('a pressed key', () => {
  const plain = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }
  const press = (key: string, held: Partial<typeof plain> = {}) => pressedKey({ ...plain, ...held, key })
  it('counts a sign as it is, whatever keys it takes, and a capital however it came; none with a modifier of no action', () => {
    // On a Spanish keyboard the slash is Shift and 7.
    expect([press('/', { shiftKey: true }), press('?', { shiftKey: true })]).toEqual(['/', '?'])
    expect(press('R')).toBe('Shift R')
    expect([press('j', { altKey: true }), press('j', { metaKey: true })]).toEqual([null, null])
    expect(press('C', { ctrlKey: true, shiftKey: true })).toBe('Ctrl Shift C')
  })
})

describe("the app's menu", () => {
  type Item = ReturnType<typeof appMenu>[number]['items'][number]
  const flat = (items: readonly Item[]): Item[] =>
    items.flatMap((item) => ('items' in item ? [item, ...flat(item.items)] : [item]))
  const made = (texts: object, mac = false) =>
    flat(appMenu(sayFrom(texts), mac).flatMap(({ items }) => items))
  const actionsOf = (items: readonly Item[]) => items.flatMap((item) => ('id' in item ? [item] : []))

  it('is one that the app takes, on every platform and in both languages', () => {
    for (const [, texts] of BOTH)
      for (const mac of [false, true])
        expect(appMenuSchema.safeParse(appMenu(sayFrom(texts), mac)).error).toBeUndefined()
  })
  it('holds every action but the rarer forms and the parts of the sandbox; what only the desktop has; none twice', () => {
    const roles = ['undo', 'copyText', 'chooseAll']
    const left = ACTIONS.filter(({ id }) => !/^(?:sandbox-|copyNdjson|copyCurlSecrets)/.test(id)).map(
      ({ id }) => id,
    )
    const inMenu = (mac: boolean) => actionsOf(made(english, mac)).map(({ id }) => id)
    expect(inMenu(true).toSorted()).toEqual([...left, 'attach', 'data-folder'].toSorted())
    // On other platforms the system's role has the key and passes it to the page.
    expect(inMenu(false).toSorted()).toEqual(
      [...left.filter((id) => !roles.includes(id)), 'attach', 'data-folder'].toSorted(),
    )
    expect(
      actionsOf(made(english))
        .flatMap(({ host }) => host ?? [])
        .toSorted(),
    ).toEqual(HOST_ACTS.toSorted())
  })
  it('gives no key twice, and takes those from the page that browsers keep for themselves', () => {
    const items = actionsOf(made(english))
    const keys = items.flatMap(({ accelerator }) => accelerator ?? [])
    expect(new Set(keys).size).toBe(keys.length)
    const taken = items.flatMap(({ id, accelerator, pageKey }) => (accelerator && !pageKey ? id : []))
    expect(taken.toSorted()).toEqual(ACTIONS.flatMap(({ id, desktop }) => (desktop ? id : [])).toSorted())
  })
  it.each([
    ['next', 'J'],
    ['inWindow', 'CommandOrControl+Enter'],
    ['chooseRange', 'Shift+Down'],
    ['deleteShown', 'Shift+Delete'],
    ['page', 'PageDown'],
    ['close', 'Escape'],
    ['pause', 'Space'],
    ['palette', 'CommandOrControl+K'],
    ['help', '?'],
    ['go-stream', 'CommandOrControl+1'],
    ['go-settings', 'CommandOrControl+,'],
    ['copy-address', 'CommandOrControl+Shift+C'],
  ])('shows of %s the key %s', (id, key) =>
    expect(actionsOf(made(english)).find((item) => item.id === id)?.accelerator).toBe(key),
  )
  it('only names the keys of the page on macOS, where a menu would take them from it', () => {
    const items = actionsOf(made(english, true))
    expect(items.find(({ id }) => id === 'next')).toEqual({ id: 'next', label: 'Next delivery (older)  (J)' })
    expect(items.find(({ id }) => id === 'copyText')).toMatchObject({ role: 'copy', label: 'Copy' })
  })
  it('has words of its own in Spanish', () => {
    const words = (texts: object) =>
      made(texts).flatMap((item) => ('label' in item && !item.label.includes(':') ? item.label : []))
    expect(words(spanish).length).toBe(words(english).length)
    expect(words(spanish).filter((word, at) => word === words(english)[at])).toEqual([])
  })
})
