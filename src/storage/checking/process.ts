import { setPriority } from 'node:os'
import { checkDatabase } from './check.ts'

/** What the process answers. */
export interface CheckAnswer {
  /** What is wrong with the file; null when nothing is. */
  readonly found: string | null
}

/** Nobody waits for it, and everybody else works beside it. */
const NICENESS = 19

setPriority(NICENESS)
// Nobody can cut a statement off within a thread, and this one lasts as long as reading the whole file: a process can be killed.
process.once('message', (path) => {
  const answer: CheckAnswer = { found: checkDatabase(String(path)) }
  process.send?.(answer, () => process.disconnect())
})
