import i18next from 'i18next'
import { loadTexts } from '@/shared/i18n/late-texts.ts'
import { offerUndo } from './undo.ts'

/**
 * Offers the way back of what was just removed. What cannot be put back as it was (a secret is forgotten for good) has a question
 * before its removal instead.
 * @param values for the sentence: a name, or how many
 * @param undo puts it there again, as it was; it may throw what the host refuses
 */
export async function removed(
  what:
    | 'filter'
    | 'target'
    | 'endpoint'
    | 'forward'
    | 'schedule'
    | 'connection'
    | 'fault'
    | 'faults'
    | 'deliveries',
  values: { readonly name: string } | { readonly count: number },
  undo: () => Promise<unknown>,
): Promise<void> {
  await loadTexts('undo')
  offerUndo({
    text: i18next.t(`removed.${what}`, { ns: 'undo', ...values }),
    undo: async () => void (await undo()),
  })
}
