import type { MenuItemConstructorOptions } from 'electron'
import type { HostStatus } from '#contract/status.ts'
import type { Language } from './language.ts'

/** What the tray says, in English and in Spanish. */
const WORDS = {
  failed: ['Not listening: no delivery can arrive', 'No escucha: no puede llegar ninguna entrega'],
  store: ['The database cannot be written', 'No se puede escribir en la base de datos'],
  off: ['Receiver off', 'Receptor apagado'],
  open: ['Open Acuse', 'Abrir Acuse'],
  invalid: ['Show Invalid Ones of Today', 'Mostrar las inválidas de hoy'],
  address: ['Copy Receiver Address', 'Copiar la dirección del receptor'],
  startReceiver: ['Start Receiver', 'Iniciar el receptor'],
  stopReceiver: ['Stop Receiver', 'Detener el receptor'],
  quit: ['Quit Acuse', 'Salir de Acuse'],
} as const satisfies Record<string, readonly [en: string, es: string]>
const word = (key: keyof typeof WORDS, language: Language): string => WORDS[key][language === 'es' ? 1 : 0]

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
  if (state === 'problem') return word(url === null ? 'failed' : 'store', language)
  return url === null ? word('off', language) : url
}

/** What is said when the pointer rests on the icon. */
export const trayTip = (facts: TrayFacts): string => `Acuse · ${where(facts)} · ${counts(facts)}`

/** The menu of the icon. Its first lines say what the icon says, for systems that show no tips. */
export function trayMenu(facts: TrayFacts, actions: TrayActions): MenuItemConstructorOptions[] {
  const { language, url, invalid } = facts
  const say = (key: keyof typeof WORDS) => word(key, language)
  const listening = url !== null
  return [
    { id: 'where', label: where(facts), enabled: false },
    { id: 'counts', label: counts(facts), enabled: false },
    { type: 'separator' },
    { id: 'open', label: say('open'), click: actions.open },
    {
      id: 'invalid',
      label: `${say('invalid')} (${number(invalid, language)})`,
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
