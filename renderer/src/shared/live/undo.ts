import i18next, { type ParseKeys } from 'i18next'
import type { Refusal } from '#contract/errors.ts'
import { loadTexts } from '@/shared/i18n/texts.ts'
import { beginAct, onAct } from '@/shared/live/acts.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { store } from './store.ts'

type Removable =
  ParseKeys<'undo'> extends infer Key ? (Key extends `removed.${infer What}` ? What : never) : never

/**
 * Offers the way back of what was just removed. What cannot be put back as it was, such as a secret, has a question before instead.
 * @param undo puts it there again, as it was; it may throw what the host refuses
 */
export async function removed(
  what: Removable,
  values: { readonly name: string } | { readonly count: number },
  undo: () => Promise<unknown>,
): Promise<void> {
  await loadTexts('undo')
  offerUndo({
    text: i18next.t(`removed.${what}`, { ns: 'undo', ...values }),
    undo: async () => void (await undo()),
  })
}

/** More than so many removals at once are not looked at; the oldest offer gives way. */
const MOST = 3

export interface UndoOffer {
  /** What was done, as a sentence in the window's language. */
  readonly text: string
  /** Takes it back. @throws RefusalError, which is shown where the offer stood */
  undo(): Promise<void>
}

export interface Undoable extends UndoOffer {
  readonly key: number
  readonly state: 'offered' | 'undoing' | 'undone' | 'failed'
  readonly refusal: Refusal | null
}

let keys = 0

export const useUndo = store<{ readonly offers: readonly Undoable[] }>({ offers: [] })((set, get) => {
  const become = (key: number, change: Pick<Undoable, 'state'> & Partial<Undoable>) =>
    set(({ offers }) => ({ offers: offers.map((one) => (one.key === key ? { ...one, ...change } : one)) }))
  return {
    undo: async (key: number) => {
      const offer = get().offers.find((one) => one.key === key)
      // Pressed twice, or after its time.
      if (offer?.state !== 'offered') return
      beginAct()
      become(key, { state: 'undoing' })
      try {
        await offer.undo()
        become(key, { state: 'undone' })
      } catch (error) {
        become(key, { state: 'failed', refusal: refusalOf(error) })
      }
    },
    dismiss: (key: number) => set(({ offers }) => ({ offers: offers.filter((one) => one.key !== key) })),
  }
})

onAct(() =>
  useUndo.setState(({ offers }) => ({
    offers: offers.filter(({ state }) => state === 'offered' || state === 'undoing'),
  })),
)

/** Says what was just removed, with a way back for ten seconds. Call it once it is done, never before. */
export function offerUndo(offer: UndoOffer): void {
  beginAct()
  keys += 1
  const offered: Undoable = { ...offer, key: keys, state: 'offered', refusal: null }
  useUndo.setState(({ offers }) => ({ offers: [...offers, offered].slice(-MOST) }))
}

export const latestUndoable = (): Undoable | undefined =>
  useUndo.getState().offers.findLast(({ state }) => state === 'offered')

export function undoLatest(): boolean {
  const latest = latestUndoable()
  if (latest) void useUndo.getState().undo(latest.key)
  return latest !== undefined
}
