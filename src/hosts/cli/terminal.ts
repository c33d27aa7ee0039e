import type { Readable, Writable } from 'node:stream'
import { visibleLines } from './visible.ts'

/** The three streams and the environment of a command. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Width of the screen in characters; unlimited where the output is not a screen. */
  readonly columns: number
  /** Whether the reader of stdout has gone away: nothing written from now on will be read. */
  readonly readerGone: boolean
  /** Machine output. Resolves when more may be written. */
  print(text: string): Promise<void>
  /** One sentence for the person. */
  say(sentence: string): void
  /** Everything on stdin. */
  readAll(): Promise<Buffer>
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  return openTerminal(process.stdin, process.stdout, process.stderr, process.env)
}

export function openTerminal(
  input: Readable,
  output: Writable & { readonly columns?: number },
  errors: Writable,
  env: Terminal['env'],
): Terminal {
  let readerGone = false
  // A reader such as `head` that has seen enough is no failure, and a closed terminal must not end a host that receives.
  output.on('error', () => {
    readerGone = true
  })
  errors.on('error', () => {})
  return {
    env,
    columns: output.columns ?? Number.POSITIVE_INFINITY,
    get readerGone() {
      return readerGone
    },
    print: (text) =>
      new Promise((resolve) => {
        if (readerGone) resolve()
        else output.write(text, () => resolve())
      }),
    say(sentence) {
      errors.write(`${visibleLines(sentence)}\n`)
    },
    async readAll() {
      const parts: Buffer[] = []
      for await (const part of input) parts.push(Buffer.from(part))
      return Buffer.concat(parts)
    },
  }
}
