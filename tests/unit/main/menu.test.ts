import { EventEmitter } from 'node:events'
import type { IpcMain, MenuItemConstructorOptions } from 'electron'
import { beforeEach, expect, it } from 'vitest'
import { type AppMenu, HOST_ACTS, type HostAct } from '#contract/app-menu.ts'
import type { HostStatus } from '#contract/status.ts'
import { keepMenu, menuTemplate } from '../../../src/main/app-menu.ts'
import type { Windows } from '../../../src/main/windows.ts'
import { hostLanguage } from '../../../src/main/words.ts'
import { ACTION, MENU } from '../../../src/preload/channels.ts'
import { EngineDouble } from '../../support/engine-double.ts'

type Item = MenuItemConstructorOptions
const done: string[] = []
beforeEach(() => void done.splice(0))
const acts = Object.fromEntries(HOST_ACTS.map((name) => [name, () => void done.push(name)])) as Record<
  HostAct,
  () => void
>
const parts = {
  acts,
  act: (id: string, alone: boolean) => void done.push(`${id}${alone ? ' anywhere' : ''}`),
  both: (role: string, id: string) => void done.push(`${role} and ${id}`),
  elsewhere: () => away,
}
let away = false
const MADE: AppMenu = [
  {
    label: 'One',
    items: [
      { id: 'next', label: 'Next', accelerator: 'J', pageKey: true },
      { id: 'go-stream', label: 'Stream', accelerator: 'CommandOrControl+1' },
      { type: 'separator' },
      { id: 'pin', label: 'Pin', alone: true },
      { id: 'copyText', label: 'Copy', role: 'copy', accelerator: 'CommandOrControl+C' },
      { role: 'paste', label: 'Pegar' },
      { label: 'Theme', items: [{ id: 'theme-dark', label: 'Dark', checked: true }] },
      ...HOST_ACTS.map((host) => ({ id: host, label: host, host })),
    ],
  },
  { label: 'Help', help: true, items: [] },
]
const flat = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])])
const build = (listening = true) => flat(menuTemplate(MADE, { listening, ...parts }))
const pressIn = (items: readonly Item[], id: string) => {
  const click = items.find((item) => item.id === id)?.click as (() => void) | undefined
  click?.()
}
const find = (id: string, listening = true) => build(listening).find((item) => item.id === id)

it('the application menu: shows the keys of the page without taking them from it, and takes its own', () => {
  expect(find('next')).toMatchObject({ accelerator: 'J', registerAccelerator: false })
  expect(find('go-stream')).toMatchObject({ accelerator: 'CommandOrControl+1', registerAccelerator: true })
  expect(find('theme-dark')).toMatchObject({ type: 'radio', checked: true })
  expect(find('paste')).toMatchObject({ role: 'paste', label: 'Pegar' })
  expect(build().find(({ role }) => role === 'help')?.label).toBe('Help')
})
it.each([
  ['next', 'next'],
  ['pin', 'pin anywhere'],
  ['copyText', 'copy and copyText'],
  ...HOST_ACTS.map((name): [string, string] => [name, name]),
])('the application menu: %s does "%s"', (id, expected) => {
  pressIn(build(), id)
  expect(done).toEqual([expected])
})
it('the application menu: leaves the receiver of an attached window to its page, and the app to the app', () => {
  away = true
  for (const name of HOST_ACTS) pressIn(build(), name)
  away = false
  const own = ['newWindow', 'attach']
  expect(done).toEqual(HOST_ACTS.map((name) => (own.includes(name) ? name : `${name} anywhere`)))
})

async function kept(trusted = true) {
  const sent: unknown[][] = []
  const warned: string[] = []
  let drawn: Item[] = []
  const webContents = { send: (...all: unknown[]) => void sent.push(all) }
  const window = { webContents, isMinimized: () => false, show() {}, focus() {} }
  const status = (state: string) => ({ receiver: { state } }) as HostStatus
  const windows = { show: () => void done.push('show'), raise() {}, attached: () => undefined }
  const engine = new EngineDouble({ 'status.get': async () => status('listening') })
  const ipc = new EventEmitter()
  await keepMenu({
    engine,
    ipc: ipc as unknown as IpcMain,
    trusted: () => trusted,
    windows: windows as unknown as Windows,
    acts,
    draw: (template) => {
      drawn = template
    },
    warn: (message) => void warned.push(message),
  })
  return {
    shown: (id: string) => flat(drawn).find((item) => item.id === id),
    click: (id: string) => pressIn(flat(drawn), id),
    roles: () => drawn.flatMap(({ role }) => role ?? []),
    sent,
    warned,
    opens: () => void Object.assign(windows, { front: window, list: window }),
    give: (menu: unknown) => ipc.emit(MENU, { sender: webContents }, menu),
    status: (state: string) => engine.push('status.changed', status(state)),
  }
}

it('the menu that windows give: takes the place of one that works without a window', async () => {
  const { give, shown, roles } = await kept()
  expect(roles()).toEqual(expect.arrayContaining(['fileMenu', 'editMenu', 'viewMenu', 'windowMenu']))
  give(MADE)
  expect(shown('next')?.label).toBe('Next')
})
it('the menu that windows give: keeps to the receiver without asking a window', async () => {
  const { give, status, shown } = await kept()
  give(MADE)
  expect(shown('startReceiver')?.visible).toBe(false)
  status('off')
  expect(shown('startReceiver')?.visible).toBe(true)
})
it('the menu that windows give: tells the window what was chosen; without one, opens it, and tells it once it gave its menu', async () => {
  const { sent, opens, give, click } = await kept()
  give(MADE)
  click('next')
  expect([done, sent]).toEqual([['show'], []])
  opens()
  give(MADE)
  expect(sent).toEqual([[ACTION, 'next', false]])
  give(MADE)
  click('pin')
  expect(sent.slice(1)).toEqual([[ACTION, 'pin', false]])
})
it.each([
  ['no menu', 'menu'],
  ['nothing in it', []],
  ['an act that the host has not', [{ label: 'x', items: [{ id: 'x', label: 'x', host: 'quit' }] }]],
  ['a role of another kind', [{ label: 'x', items: [{ role: 'services', label: 'x' }] }]],
  ['more than it may hold', [{ label: 'x', items: Array(101).fill({ type: 'separator' }) }]],
])('the menu that windows give: refuses %s, and keeps the one it has', async (_name, menu) => {
  const { give, warned, shown } = await kept()
  give(MADE)
  give(menu)
  expect(warned).toHaveLength(1)
  expect(shown('next')?.label).toBe('Next')
})
it('the menu that windows give: takes none from a stranger', async () => {
  const { give, shown } = await kept(false)
  give(MADE)
  expect(shown('next')).toBeUndefined()
})

it.each([
  ['system', 'es-ES', 'es'],
  ['system', 'es', 'es'],
  ['system', 'en-GB', 'en'],
  ['system', 'est', 'en'],
  ['es', 'en-US', 'es'],
  ['en', 'es-MX', 'en'],
] as const)('its language: chosen %s with locale %s: %s', (chosen, locale, expected) =>
  expect(hostLanguage(chosen, locale)).toBe(expected),
)
