import { setPriority } from 'node:os'
import { checkDatabase } from './check.ts'

/** What the process is asked. */
export interface CheckQuestion {
  readonly path: string
  /** Nobody waits for it, and everybody else works beside it. */
  readonly behind: boolean
}

/** What the process answers. */
export interface CheckAnswer {
  /** What is wrong with the file; null when nothing is. */
  readonly found: string | null
}

const LOWEST = 19

// Without a listener Node opens its inspector on this signal, which would let every user of the machine in.
process.on('SIGUSR1', () => {})

// Nobody can cut a statement off within a thread, and this one lasts as long as reading the whole file: a process can be killed.
process.once('message', (question) => {
  const { path, behind } = question as CheckQuestion
  if (behind) setPriority(LOWEST)
  const answer: CheckAnswer = { found: checkDatabase(path) }
  process.send?.(answer, () => process.disconnect())
})
