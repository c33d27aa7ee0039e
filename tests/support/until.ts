import { setTimeout as pause } from 'node:timers/promises'

const TIMEOUT_MS = 120_000

/** Polls until the answer passes the check. @throws with the last answer after two minutes */
export async function until<T>(
  ask: () => T | Promise<T>,
  fits: (answer: T) => boolean = Boolean,
): Promise<T> {
  for (const end = performance.now() + TIMEOUT_MS; ; await pause(5)) {
    const answer = await ask()
    if (fits(answer)) return answer
    if (performance.now() > end) throw new Error(`in vain: ${JSON.stringify(answer)}`)
  }
}
