import { join } from 'node:path'
import { filled, filledCounted, type Language } from '#catalog/text.ts'
import type { ScheduleState } from '#contract/schedule.ts'
import type { FilterMatches, Settings } from '#contract/settings.ts'
import { readIfThere, writeAtomically } from '#hosts/atomic-file.ts'
import { hostWords } from './words.ts'

interface Notice {
  readonly title: string
  readonly body: string
}

export interface NativeNotice {
  on(event: 'click', listener: () => void): unknown
  show(): void
}

export interface NoticeParts {
  /** Undefined where the system shows no notifications. */
  make(notice: Notice): NativeNotice | undefined
  language(): Language
  /** Brings a window to the front, at a place of it when one is given. */
  open(hash?: string): void
}

/** Shown notices: without a reference they are collected, and a click on one does nothing any more. */
const KEPT = 20

/** Tells by the desktop's notifications what should be known while no window is looked at. */
export function nativeNotices({ make, language, open }: NoticeParts) {
  const shown: NativeNotice[] = []
  function show(words: Notice, hash?: string): void {
    const notice = make(words)
    if (!notice) return
    notice.on('click', () => open(hash))
    notice.show()
    shown.push(notice)
    shown.splice(0, shown.length - KEPT)
  }
  return {
    /** A scheduled run has ended: what it missed that was not told of before. */
    schedule({ schedule, last }: ScheduleState): void {
      if (!schedule.notify || !last || last.fresh === 0) return
      const { missed } = hostWords(language())
      const documents = filledCounted(missed.documents, last.fresh)
      const { connection } = schedule
      const [sweep] = last.sweeps
      const title = filled(missed.title, { connection })
      const body = last.recovery
        ? filled(missed.recovered, { documents, target: last.recovery.target })
        : filled(missed.body, { documents })
      show({ title, body }, sweep === undefined ? '#/settings/connections' : `#/reconcile/sweep-${sweep}`)
    },
    /** Deliveries match a filter with notices. It stays on a lock screen: of what was captured it has kind, number and verdict alone. */
    matched({ name, delivery, more }: FilterMatches): void {
      const { matched, verdicts } = hostWords(language())
      const { id, kind, number, verdict } = delivery
      const known = [kind ?? matched.unknown, number, verdict && verdicts[verdict]]
      const facts = known.filter((fact) => fact !== null).join(' · ')
      const body = more === 0 ? facts : filled(matched.more, { facts, more })
      show({ title: name, body }, `#/stream?id=${id}`)
    },
    /** The app goes on without a window, which is not what every user expects. */
    stays(platform: NodeJS.Platform): void {
      const { title, menuBar, tray } = hostWords(language()).stays
      show({ title, body: platform === 'darwin' ? menuBar : tray })
    },
  }
}

/** Whether the app goes on, and with it the receiver, when its last window is closed: as it was chosen, else as the platform's programs do. */
export const staysOpen = ({ desktop }: Pick<Settings, 'desktop'>, platform: NodeJS.Platform): boolean =>
  desktop.keepReceiving ?? platform === 'darwin'

/** Says something once per data folder, ever. @param say is called the first time */
export async function sayOnce(folder: string, say: () => void): Promise<void> {
  const path = join(folder, 'told-staying')
  if ((await readIfThere(path).catch(() => '')) !== undefined) return
  say()
  // A folder that cannot be written means that it is said again, which is better than never.
  await writeAtomically(path, '').catch(() => undefined)
}
