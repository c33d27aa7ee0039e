import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { HostStatus } from '#contract/status.ts'
import { trayIcons } from '../../../resources/tray/draw.ts'
import type { TrayActions, TrayFacts } from '../../../src/main/tray-menu.ts'
import { trayIcon, trayMenu, trayState, trayTip } from '../../../src/main/tray-menu.ts'
import { QUIET_STATUS } from '../../support/engine-double.ts'

const ICONS = join(import.meta.dirname, '../../../resources/tray')
const url = 'http://127.0.0.1:4400/'
const LISTENING: TrayFacts = { language: 'en', state: 'listening', url, today: 1_234, invalid: 3 }
const OFF: TrayFacts = { ...LISTENING, state: 'off', url: null }

const drawn = trayIcons()
/** This test presses no item. */
const actions = {} as TrayActions
const status = (change: Partial<HostStatus>): HostStatus => ({ ...QUIET_STATUS, ...change })

const listening = { state: 'listening', url: 'http://127.0.0.1:1/', host: '127.0.0.1', port: 1 } as const
const failure = { code: 'port-in-use', host: '127.0.0.1', port: 1, message: '', nextFreePort: 2 } as const
const store = { ...QUIET_STATUS.store, state: 'refusing' } as const
it.each([
  ['listening', { receiver: listening }],
  ['off', { receiver: { state: 'off' } }],
  ['off', { receiver: { state: 'starting' } }],
  ['problem', { receiver: { state: 'failed', failure } }],
  ['problem', { receiver: listening, store }],
] as const)('the state of the tray: is %s', (expected, change) =>
  expect(trayState(status(change))).toBe(expected),
)
it('the state of the tray: has icons as the script draws them, templates for macOS', () => {
  for (const [name, bytes] of drawn) expect(readFileSync(join(ICONS, name)).equals(bytes), name).toBe(true)
  const named = (platform: NodeJS.Platform) =>
    (['listening', 'off', 'problem'] as const).map((state) => trayIcon(state, platform))
  expect(named('darwin')).toEqual(['listeningTemplate.png', 'offTemplate.png', 'problemTemplate.png'])
  for (const platform of ['linux', 'darwin'] as const)
    for (const name of named(platform)) expect(drawn.has(name), name).toBe(true)
})

it('the tray: says the address and the count of today', () => {
  expect(trayTip(LISTENING)).toBe('Acuse · http://127.0.0.1:4400/ · 1,234 today, 3 invalid')
  expect(trayTip({ ...OFF, invalid: 0 })).toBe('Acuse · Receiver off · 1,234 today')
  expect(trayTip({ ...LISTENING, state: 'problem' })).toContain('The database cannot be written')
  const deaf = 'Acuse · No escucha: no puede llegar ninguna entrega · 1,234 hoy, 3 con errores'
  expect(trayTip({ ...OFF, state: 'problem', language: 'es' })).toBe(deaf)
})
it('the tray: has a word for every item in both languages', () => {
  const words = (language: 'en' | 'es') =>
    trayMenu({ ...LISTENING, language }, actions).flatMap(({ label }) => label ?? [])
  expect(words('es')).toHaveLength(words('en').length)
  expect(words('es').filter((word) => words('en').includes(word))).toEqual([LISTENING.url])
})
