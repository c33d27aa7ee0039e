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
  /** @returns undefined when the system shows no notifications */
  make(notice: Notice): NativeNotice | undefined
  language(): Language
  /** Brings a window to the front. @param hash its new route; default: unchanged */
  open(hash?: string): void
}

/** References kept to shown notices: without one, a notice is garbage-collected and ignores clicks. */
const KEPT = 20

/** Shows desktop notifications for users who are not looking at a window. */
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
    /** Reports newly found misses of a scheduled run. */
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
    /** Reports matches of a filter with notices. It may show on a lock screen, so it holds only kind, number and verdict. */
    matched({ name, delivery, more }: FilterMatches): void {
      const { matched, verdicts } = hostWords(language())
      const { id, kind, number, verdict } = delivery
      const known = [kind ?? matched.unknown, number, verdict && verdicts[verdict]]
      const facts = known.filter((fact) => fact !== null).join(' · ')
      const body = more === 0 ? facts : filled(matched.more, { facts, more })
      show({ title: name, body }, `#/stream?id=${id}`)
    },
    /** Asks to install a downloaded version; the click opens the place to do it. */
    update(version: string): void {
      const { title, body } = hostWords(language()).update
      show({ title: filled(title, { version }), body }, '#/settings/about')
    },
    /** Reports that the app goes on without a window, which not every user expects. */
    stays(platform: NodeJS.Platform): void {
      const { title, menuBar, tray } = hostWords(language()).stays
      show({ title, body: platform === 'darwin' ? menuBar : tray })
    },
  }
}

/** Whether app and receiver go on after the last window closes: the user's setting; default: the platform's custom. */
export const staysOpen = (
  { desktop }: { readonly desktop: Pick<Settings['desktop'], 'keepReceiving'> },
  platform: NodeJS.Platform,
): boolean => desktop.keepReceiving ?? platform === 'darwin'

/** Calls `say` once per data folder, ever. */
export async function sayOnce(folder: string, say: () => void): Promise<void> {
  const path = join(folder, 'told-staying')
  if ((await readIfThere(path).catch(() => '')) !== undefined) return
  say()
  // In a read-only folder the notice repeats, which is better than none.
  await writeAtomically(path, '').catch(() => undefined)
}
