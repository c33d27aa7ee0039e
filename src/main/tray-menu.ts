import type { MenuItemConstructorOptions } from 'electron'
import type { HostStatus } from '#contract/status.ts'
import { type Language, label } from './menu-labels.ts'

/** What the icon says at a glance. */
export type TrayState = 'listening' | 'off' | 'problem'

/** All that the tray shows of the host. */
export interface TrayFacts {
  readonly language: Language
  readonly state: TrayState
  /** The receiver's address while it listens. */
  readonly url: string | null
  /** Deliveries of today, and those among them that are invalid or unreadable. */
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

/** A receiver that was stopped is off; one that should listen and cannot, or a store that cannot be written, is a problem. */
export function trayState({ receiver, store }: Pick<HostStatus, 'receiver' | 'store'>): TrayState {
  if (receiver.state === 'failed' || store.state !== 'ok') return 'problem'
  return receiver.state === 'listening' ? 'listening' : 'off'
}

/** Name of the icon's file. macOS draws templates in the colour of its menu bar; the larger form is found by the system. */
export const trayIcon = (state: TrayState, platform: NodeJS.Platform): string =>
  platform === 'darwin' ? `${state}Template.png` : `${state}.png`

const number = (count: number, language: Language): string =>
  new Intl.NumberFormat(language === 'es' ? 'es-DO' : 'en').format(count)

function counts({ language, today, invalid }: TrayFacts): string {
  const [all, wrong] = [number(today, language), number(invalid, language)]
  if (language === 'es') return invalid === 0 ? `${all} hoy` : `${all} hoy, ${wrong} con errores`
  return invalid === 0 ? `${all} today` : `${all} today, ${wrong} invalid`
}

function where({ language, state, url }: TrayFacts): string {
  // A store that fails while the receiver listens: deliveries still come, and that they do is not the news.
  if (state === 'problem') return label(url === null ? 'trayFailed' : 'trayStore', language)
  return url === null ? label('trayOff', language) : url
}

/** What is said when the pointer rests on the icon. */
export const trayTip = (facts: TrayFacts): string => `Acuse · ${where(facts)} · ${counts(facts)}`

/** The menu of the icon. Its first lines say what the icon says, for systems that show no tips. */
export function trayMenu(facts: TrayFacts, actions: TrayActions): MenuItemConstructorOptions[] {
  const { language, url, invalid } = facts
  const say = (key: Parameters<typeof label>[0]) => label(key, language)
  const listening = url !== null
  return [
    { id: 'where', label: where(facts), enabled: false },
    { id: 'counts', label: counts(facts), enabled: false },
    { type: 'separator' },
    { id: 'open', label: say('trayOpen'), click: actions.open },
    {
      id: 'invalid',
      label: `${say('trayInvalid')} (${number(invalid, language)})`,
      enabled: invalid > 0,
      click: actions.openInvalid,
    },
    { type: 'separator' },
    { id: 'address', label: say('address'), enabled: listening, click: actions.copyAddress },
    listening
      ? { id: 'stopReceiver', label: say('stopReceiver'), click: actions.stopReceiver }
      : { id: 'startReceiver', label: say('startReceiver'), click: actions.startReceiver },
    { type: 'separator' },
    { id: 'quit', label: say('quit'), click: actions.quit },
  ]
}
