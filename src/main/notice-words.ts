import type { Verdict } from '#contract/delivery.ts'
import type { ScheduleState } from '#contract/schedule.ts'
import type { FilterMatches } from '#contract/settings.ts'
import type { Language } from './language.ts'

export interface NoticeWords {
  readonly title: string
  readonly body: string
}

const VERDICTS: Readonly<Record<Verdict, readonly [en: string, es: string]>> = {
  valid: ['valid', 'válida'],
  noted: ['noted', 'con notas'],
  warning: ['warning', 'con avisos'],
  invalid: ['invalid', 'inválida'],
  unreadable: ['unreadable', 'ilegible'],
}

/** What a scheduled sweep missed. */
export function scheduleWords(
  { schedule: { connection }, last }: ScheduleState,
  language: Language,
): NoticeWords {
  const fresh = last?.fresh ?? 0
  const recovery = last?.recovery ?? null
  if (language === 'es') {
    const missed =
      fresh === 1 ? '1 documento con un evento perdido' : `${fresh} documentos con eventos perdidos`
    return {
      title: `Se perdieron eventos de ${connection}`,
      body: recovery ? `${missed}; se reconstruyeron y se envían a ${recovery.target}.` : `${missed}.`,
    }
  }
  const missed = fresh === 1 ? '1 document with a missed event' : `${fresh} documents with missed events`
  return {
    title: `Events of ${connection} were missed`,
    body: recovery ? `${missed}; rebuilt and being sent to ${recovery.target}.` : `${missed}.`,
  }
}

/** What a filter found. A notification stays on a lock screen: of what was captured it has kind, number and verdict, nothing more. */
export function filterWords({ name, delivery, more }: FilterMatches, language: Language): NoticeWords {
  const spanish = language === 'es'
  const { kind, number, verdict } = delivery
  const facts = [
    kind ?? (spanish ? 'evento desconocido' : 'unknown event'),
    ...(number === null ? [] : [number]),
    ...(verdict === null ? [] : [VERDICTS[verdict][spanish ? 1 : 0]]),
  ].join(' · ')
  const rest = spanish ? `y ${more} más` : `and ${more} more`
  return { title: name, body: more === 0 ? facts : `${facts}, ${rest}` }
}

/** Said once: a program whose window was closed and that goes on is not what everybody expects. */
export function staysWords(platform: NodeJS.Platform, language: Language): NoticeWords {
  const mac = platform === 'darwin'
  return language === 'es'
    ? {
        title: 'Acuse sigue recibiendo',
        body: mac
          ? 'Su ventana está cerrada. Ábrala o salga desde el icono de la barra de menús.'
          : 'Su ventana está cerrada. Ábrala o salga desde el icono de la bandeja; iniciar Acuse otra vez también la abre.',
      }
    : {
        title: 'Acuse goes on receiving',
        body: mac
          ? 'Its window is closed. Open it, or quit, from the icon in the menu bar.'
          : 'Its window is closed. Open it, or quit, from the icon in the tray; starting Acuse again opens it too.',
      }
}
