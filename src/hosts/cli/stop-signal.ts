import { EXIT, type ExitCode } from './failures.ts'

/** A host that cannot finish what is in flight by then ends all the same (Command line: exit within 5 s). */
const DEADLINE_MS = 4_800
/** One Ctrl-C can reach us twice: from the terminal and from the process that started us. */
const SAME_SIGNAL_MS = 300
const NUMBERS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const

/**
 * Resolves when this process is asked to end. From then on it has a deadline, and a second signal ends it at once.
 * @param say receives a sentence for the person
 * @param late exit code when the deadline passes; a host has received all the same
 */
export function stopSignal(say: (sentence: string) => void, late: ExitCode = EXIT.done): Promise<void> {
  return new Promise((resolve) => {
    let since: number | undefined
    const ask = (signal: keyof typeof NUMBERS) => {
      const now = performance.now()
      if (since !== undefined) {
        if (now - since > SAME_SIGNAL_MS) process.exit(128 + NUMBERS[signal])
        return
      }
      since = now
      setTimeout(() => {
        say('Not everything in flight could be finished in time.')
        process.exit(late)
      }, DEADLINE_MS).unref()
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ask(signal))
    // Started by an older Node (pinned-node.ts): when that process is killed, nobody could end us any more.
    process.on('disconnect', () => ask('SIGTERM'))
  })
}
