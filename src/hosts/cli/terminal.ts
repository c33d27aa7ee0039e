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
  /** Resolves when all that was written has left this process, so that it may end. */
  flush(): Promise<void>
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  return openTerminal(process.stdin, process.stdout, process.stderr, process.env)
}

function openTerminal(
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
  const written = (stream: Writable, text: string) =>
    new Promise<void>((resolve) => {
      if (stream.destroyed) resolve()
      else stream.write(text, () => resolve())
    })
  return {
    env,
    columns: output.columns ?? Number.POSITIVE_INFINITY,
    get readerGone() {
      return readerGone
    },
    print: (text) => written(output, text),
    say(sentence) {
      errors.write(`${visibleLines(sentence)}\n`)
    },
    async readAll() {
      const parts: Buffer[] = []
      for await (const part of input) parts.push(Buffer.from(part))
      return Buffer.concat(parts)
    },
    async flush() {
      await Promise.all([written(output, ''), written(errors, '')])
    },
  }
}
