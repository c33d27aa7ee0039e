import { createReadStream } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { messageOf } from '#contract/errors.ts'
import { fileTrouble } from '#core/file-trouble.ts'
import project from '../../../../package.json' with { type: 'json' }
import { couldNot, EXIT, type ExitCode, wrongUsage } from './failures.ts'
import { visible, visibleLines } from './text.ts'

export const VERSION: string = project.version

/** Twice what a body may have to be checked. */
const MOST_BYTES = 512 * 1024 * 1024

/** All that a file or a pipe gives, unless that is more than any user means: devices and other programs may never end. */
export async function readBounded(parts: AsyncIterable<Uint8Array>, most = MOST_BYTES): Promise<Buffer> {
  const kept: Uint8Array[] = []
  let size = 0
  for await (const part of parts) {
    size += part.length
    if (size > most)
      throw Object.assign(new Error(`more than ${most} bytes`), { code: 'ERR_FS_FILE_TOO_LARGE' })
    kept.push(part)
  }
  return Buffer.concat(kept)
}

/** A file that the user named on the command line; `-` is stdin. @throws CommandFailure when it cannot be read */
export async function readUserFile(path: string, terminal: Terminal): Promise<Buffer> {
  try {
    return path === '-' ? await terminal.readAll() : await readBounded(createReadStream(path))
  } catch (error) {
    const name = path === '-' ? 'Stdin' : visible(path)
    throw couldNot(`${name} cannot be read: ${visible(fileTrouble(error))}.`)
  }
}

/** The JSON of a text that the user named. @throws CommandFailure for what is none */
export function parsedUserJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw wrongUsage(`${visible(name)} is not JSON: ${visible(messageOf(error))}`)
  }
}

/** What the user pipes in. `echo` and editors end the line; that newline is not part of the value. */
export const pipedValue = async (terminal: Terminal): Promise<string> =>
  (await terminal.readAll()).toString().replace(/\r?\n$/, '')

/** Back to the beginning of the line, and erase it. */
const CLEAR_LINE = '\r\u001b[2K'

/** The three streams and the environment of a command. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Width of the screen in characters; unlimited where the output is not a screen. */
  readonly columns: number
  /** Whether what is printed may be coloured: it goes to a screen, and the user did not switch it off (no-color.org). */
  readonly coloured: boolean
  /** Whether the reader of stdout has gone away: nothing written from now on will be read. */
  readonly readerGone: boolean
  /** Machine output. Resolves when more may be written. */
  print(text: string): Promise<void>
  /** One sentence for the person. */
  say(sentence: string): void
  /** Shows how far long work is in one line; null takes it away. @returns whether the user has a screen for it */
  progress(text: string | null): boolean
  /** Everything on stdin. @throws when that is more than is ever read at once */
  readAll(): Promise<Buffer>
  /** Resolves when all that was written has left this process, so that it may end. */
  flush(): Promise<void>
}

export function processTerminal(): Terminal {
  return openTerminal(process.stdin, process.stdout, process.stderr, process.env)
}

/** A terminal of these streams; it is a screen where they are one. */
export function openTerminal(
  input: Readable,
  output: Writable & { readonly columns?: number; readonly isTTY?: boolean },
  errors: Writable & { readonly isTTY?: boolean; readonly columns?: number },
  env: Terminal['env'],
): Terminal {
  let readerGone = false
  let progress = ''
  const clear = () => {
    if (progress !== '') errors.write(CLEAR_LINE)
    progress = ''
  }
  // A reader such as `head` that has seen enough is no failure, and a closed terminal must not end a host that receives.
  output.on('error', () => {
    readerGone = true
  })
  errors.on('error', () => {})
  const written = (stream: Writable, text: string) =>
    new Promise<void>((resolve) => {
      if (stream.destroyed) resolve()
      else stream.write(text, () => resolve())
    })
  return {
    env,
    columns: output.columns || Number.POSITIVE_INFINITY,
    coloured: output.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
    get readerGone() {
      return readerGone
    },
    print(text) {
      clear()
      return written(output, text)
    },
    say(sentence) {
      clear()
      errors.write(`${visibleLines(sentence)}\n`)
    },
    progress(text) {
      if (!errors.isTTY) return false
      clear()
      // Cut to the screen: of a line that wraps, only the last part could be replaced. Some terminals say 0 for not knowing.
      progress = visible(text ?? '').slice(0, Math.max(1, (errors.columns || 80) - 1))
      errors.write(progress)
      return true
    },
    readAll: () => readBounded(input),
    async flush() {
      await Promise.all([written(output, ''), written(errors, '')])
    },
  }
}

/**
 * Lets a command look again and again: soon at first, ever more rarely, and at once when the user wants no more of it.
 * @param more whether there is something to look at already @yields whether the user wants no more of it
 */
export async function* looks(stop: Promise<void>, firstMs: number, lastMs: number, more = () => false) {
  let stopping = false
  const stopped = stop.then(() => {
    stopping = true
  })
  for (let wait = firstMs; ; ) {
    yield stopping
    if (more()) continue
    await Promise.race([pause(wait), ...(stopping ? [] : [stopped])])
    wait = Math.min(lastMs, wait * 1.5)
  }
}

/** A host that cannot finish what is in flight by then ends all the same (Command line: exit within 5 s). */
const DEADLINE_MS = 4_800
/** One Ctrl-C can reach us twice: from the terminal and from the process that started us. */
const SAME_SIGNAL_MS = 300
const NUMBERS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const

/**
 * Resolves when this process is asked to end. From then on it has a deadline, and a second signal ends it at once.
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
    // Started by an older Node (pinned-node.ts): when that process is killed, no signal would end us any more.
    process.on('disconnect', () => ask('SIGTERM'))
  })
}
