import i18next, { type ParseKeys } from 'i18next'
import type { Refusal } from '#contract/errors.ts'
import { loadTexts } from '@/shared/i18n/texts.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { store } from './store.ts'

const stale = new Set<() => void>()

/** @param clear removes the notice of a finished act; notices of running acts stay */
export const onAct = (clear: () => void): void => void stale.add(clear)

/** The user starts a new act: finished notices go, or an old success would stand beside a new error. */
export function beginAct(): void {
  for (const clear of stale) clear()
}

type Removable =
  ParseKeys<'undo'> extends infer Key ? (Key extends `removed.${infer What}` ? What : never) : never

/**
 * Offers to undo a removal. An item that cannot be restored, such as a secret, needs a confirmation before its removal instead.
 * @param undo restores the item unchanged; it may throw the host's refusal
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

/** Maximum undo offers shown at once; a further one replaces the oldest. */
const MOST = 3

export interface UndoOffer {
  /** The removal as a sentence in the window's language. */
  readonly text: string
  /** Undoes the removal. @throws RefusalError, which replaces the offer */
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
      // The user pressed it twice, or after the offer expired.
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

/** Shows a removal with an undo button for ten seconds. Call it after the removal, never before. */
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
