import type { AttemptErrorCode, AttemptRow } from '#contract/replay.ts'

type OutcomeKey = `errorWords.${AttemptErrorCode}` | 'attempts.sending' | 'attempts.uncertain'

/**
 * The outcome of an attempt, for a list of choices, where no sign can stand.
 * @param word of the language; the codes of the contract are for programs
 */
export function outcomeText(
  { status, error, state }: Pick<AttemptRow, 'status' | 'error' | 'state'>,
  word: (key: OutcomeKey) => string,
): string {
  if (status !== null) return String(status)
  if (error) return word(`errorWords.${error.code}`)
  return word(state === 'sending' ? 'attempts.sending' : 'attempts.uncertain')
}
