import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { StoreWorkers } from '../open.ts'
import type { CheckAnswer, CheckQuestion } from './process.ts'

/** The full check waits until the first moments, when everybody wants the disk, are over. */
const AFTER_MS = 3_000
const AGAIN_MS = 60_000

/** Looks through captured.db for damage that opening it does not show, in a process of its own that can be cut off. */
export class Checker {
  readonly #path: string
  readonly #workers: StoreWorkers
  readonly #running = new Set<ChildProcess>()
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(path: string, workers: StoreWorkers) {
    this.#path = path
    this.#workers = workers
  }

  /** Checks in a while; when it is cut off, again later. @param onDamage takes what was found */
  checkBehind(onDamage: (reason: string) => void, delay = AFTER_MS): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#check(true).then(
        (found) => (found === null ? undefined : onDamage(found)),
        () => this.checkBehind(onDamage, AGAIN_MS),
      )
    }, delay).unref()
  }

  /** @returns what is wrong now; null when nothing is, or when it could not be found out */
  checkNow(): Promise<string | null> {
    return this.#check(false).catch(() => null)
  }

  /** Ends checks that are running, however far they are. Resolves when they have let go of the file. */
  async cutOff(): Promise<void> {
    const gone = [...this.#running].map((child) => exited(child))
    for (const child of this.#running) child.kill('SIGKILL')
    await Promise.all(gone)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.cutOff()
  }

  async #check(behind: boolean): Promise<string | null> {
    const child = this.#workers.checker()
    this.#running.add(child)
    try {
      return await answerOf(child, { path: this.#path, behind })
    } finally {
      this.#running.delete(child)
    }
  }
}

/** Rejects when the process cannot be started, or ends without an answer. */
function answerOf(child: ChildProcess, question: CheckQuestion): Promise<string | null> {
  return new Promise((resolve, reject) => {
    child.once('message', (answer) => resolve((answer as CheckAnswer).found))
    child.once('error', reject)
    child.once('exit', () => reject(new Error('The check was cut off.')))
    child.send(question, (error) => error && reject(error))
  })
}

async function exited(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  await once(child, 'exit')
}
