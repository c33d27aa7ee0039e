import type { Readable, Writable } from 'node:stream'
import { readBounded } from './bounded-read.ts'
import { visible, visibleLines } from './visible.ts'

/** Back to the beginning of the line, and erase it. */
const CLEAR_LINE = '\r\u001b[2K'

/** The three streams and the environment of a command. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Width of the screen in characters; unlimited where the output is not a screen. */
  readonly columns: number
  /** Whether what is printed may be coloured: it goes to a screen, and nobody asked for none (no-color.org). */
  readonly coloured: boolean
  /** Whether the reader of stdout has gone away: nothing written from now on will be read. */
  readonly readerGone: boolean
  /** Machine output. Resolves when more may be written. */
  print(text: string): Promise<void>
  /** One sentence for the person. */
  say(sentence: string): void
  /**
   * Shows how far long work is, in one line that the next one replaces; null takes it away.
   * @returns whether the person has a screen for it; elsewhere nothing is shown
   */
  progress(text: string | null): boolean
  /** Everything on stdin. @throws when that is more than is ever read at once */
  readAll(): Promise<Buffer>
  /** Resolves when all that was written has left this process, so that it may end. */
  flush(): Promise<void>
}

/** The terminal of this process. */
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
