import i18next from 'i18next'
import { loadTexts } from '@/i18n/late-texts.ts'
import { offerUndo } from '@/stores/undo.ts'

/**
 * Offers the way back of something with a name that was just removed.
 * @param undo puts it there again, as it was; it may throw what the host refuses
 */
export async function removed(
  what: 'filter' | 'target' | 'endpoint' | 'forward' | 'schedule' | 'connection' | 'fault',
  name: string,
  undo: () => Promise<unknown>,
): Promise<void> {
  await loadTexts('undo')
  offerUndo({
    text: i18next.t(`removed.${what}`, { ns: 'undo', name }),
    undo: async () => void (await undo()),
  })
}
