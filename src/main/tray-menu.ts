import type { MenuItemConstructorOptions } from 'electron'
import { filled, type Language } from '#catalog/text.ts'
import type { HostStatus } from '#contract/status.ts'
import { hostWords } from './words.ts'

export type TrayState = 'listening' | 'off' | 'problem'

export interface TrayFacts {
  readonly language: Language
  readonly state: TrayState
  /** The receiver's address while it listens. */
  readonly url: string | null
  /** Number of today's deliveries; `invalid` counts those that are invalid or unreadable. */
  readonly today: number
  readonly invalid: number
}

export interface TrayActions {
  open(): void
  openInvalid(): void
  startReceiver(): void
  stopReceiver(): void
  copyAddress(): void
  quit(): void
}

/** `off`: a user stopped the receiver. `problem`: the receiver cannot listen, or the store cannot be written. */
export function trayState({ receiver, store }: Pick<HostStatus, 'receiver' | 'store'>): TrayState {
  if (receiver.state === 'failed' || store.state !== 'ok') return 'problem'
  return receiver.state === 'listening' ? 'listening' : 'off'
}

/** File name of the icon. macOS draws templates in the menu bar's colour; the system finds the larger size by itself. */
export const trayIcon = (state: TrayState, platform: NodeJS.Platform): string =>
  platform === 'darwin' ? `${state}Template.png` : `${state}.png`

const number = (count: number, language: Language): string =>
  new Intl.NumberFormat(language === 'es' ? 'es-DO' : 'en').format(count)

function counts({ language, today, invalid }: TrayFacts): string {
  const words = hostWords(language).tray
  return filled(invalid === 0 ? words.today : words.wrong, {
    all: number(today, language),
    wrong: number(invalid, language),
  })
}

function where({ language, state, url }: TrayFacts): string {
  const { failed, store, off } = hostWords(language).tray
  // With a failing store, report the store even while the receiver listens.
  if (state === 'problem') return url === null ? failed : store
  return url ?? off
}

export const trayTip = (facts: TrayFacts): string => `Acuse · ${where(facts)} · ${counts(facts)}`

/** The icon's menu. Its first lines repeat the tool tip, for systems without tips. */
export function trayMenu(facts: TrayFacts, actions: TrayActions): MenuItemConstructorOptions[] {
  const { language, url, invalid } = facts
  const words = hostWords(language).tray
  const listening = url !== null
  return [
    { id: 'where', label: where(facts), enabled: false },
    { id: 'counts', label: counts(facts), enabled: false },
    { type: 'separator' },
    { id: 'open', label: words.open, click: actions.open },
    {
      id: 'invalid',
      label: filled(words.invalid, { count: number(invalid, language) }),
      enabled: invalid > 0,
      click: actions.openInvalid,
    },
    { type: 'separator' },
    { id: 'address', label: words.address, enabled: listening, click: actions.copyAddress },
    listening
      ? { id: 'stopReceiver', label: words.stopReceiver, click: actions.stopReceiver }
      : { id: 'startReceiver', label: words.startReceiver, click: actions.startReceiver },
    { type: 'separator' },
    { id: 'quit', label: words.quit, click: actions.quit },
  ]
}
