import type { EndedAttempt, NewAttempt } from '#core/replay/ports.ts'
import type { AttemptWriter } from './attempt-writer.ts'
import type { Work } from './commit-log.ts'

/**
 * Writes several commits as one, with the same result as one after the other: an attempt that began and ended among them is written once,
 * as it ended. Call it in a transaction.
 */
export function takeOver(works: readonly Work[], writer: AttemptWriter): void {
  const begun = new Map<number, NewAttempt>()
  const end = (attempt: EndedAttempt): void => {
    const start = begun.get(attempt.id)
    begun.delete(attempt.id)
    if (start) writer.whole(start, attempt)
    else writer.end(attempt)
  }
  for (const work of works) {
    const fresh = new Set(work.begun.map(({ id }) => id))
    // An entry may come back and go out again, and an attempt may end before it was ever on its way.
    for (const attempt of work.ended) if (!fresh.has(attempt.id)) end(attempt)
    for (const attempt of work.begun) begun.set(attempt.id, attempt)
    for (const attempt of work.ended) if (fresh.has(attempt.id)) end(attempt)
  }
  for (const attempt of begun.values()) writer.begin(attempt)
}
