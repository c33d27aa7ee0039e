import { createReadStream, createWriteStream, fstatSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { messageOf } from '#contract/errors.ts'
import { fileTrouble, systemCode } from '#core/file-trouble.ts'
import { DraftFile, unwritten } from '#hosts/draft-file.ts'
import project from '../../../../package.json' with { type: 'json' }
import { couldNot, EXIT, type ExitCode, wrongUsage } from './failures.ts'
import { visible, visibleLines } from './text.ts'

export const VERSION: string = project.version

/** Twice the largest body that Acuse checks. */
const MOST_BYTES = 512 * 1024 * 1024

/** Reads a file or pipe up to a limit: a device or another program may never end. */
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

/** Reads a file named on the command line; `-` is stdin. @throws CommandFailure when it cannot be read */
export async function readUserFile(path: string, terminal: Terminal): Promise<Buffer> {
  try {
    return path === '-' ? await terminal.readAll() : await readBounded(createReadStream(path))
  } catch (error) {
    const name = path === '-' ? 'Stdin' : visible(path)
    throw couldNot(`${name} cannot be read: ${visible(fileTrouble(error))}.`)
  }
}

/** Writes a file that the user named; a failure or a stop leaves nothing. @throws AcuseError when it cannot be written; the error of `pieces` */
export async function writeUserFile(
  path: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  let draft: DraftFile | undefined
  try {
    draft = await DraftFile.begin(resolve(path))
    for await (const piece of pieces) await draft.write(piece)
    await draft.finish()
  } catch (error) {
    await draft?.discard()
    throw error instanceof Error && 'syscall' in error ? unwritten(visible(path), error) : error
  }
}

/** Parses the JSON of a file that the user named. @throws CommandFailure for text that is not JSON */
export function parsedUserJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw wrongUsage(`${visible(name)} is not JSON: ${visible(messageOf(error))}`)
  }
}

/** Reads a value from stdin without the final newline, which `echo` and editors add. @param prompt for a user who types it */
export async function stdinValue(terminal: Terminal, prompt: string): Promise<string> {
  if (terminal.typed) terminal.say(prompt)
  return (await terminal.readAll()).toString().replace(/\r?\n$/, '')
}

/** Carriage return, then the ANSI sequence that erases the line. */
const CLEAR_LINE = '\r\u001b[2K'

/** The three streams and the environment of a command. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Width of the screen in characters; infinite when the output is not a screen. */
  readonly columns: number
  /** Whether output may be coloured: it goes to a screen, and the user has not switched colours off (no-color.org). */
  readonly coloured: boolean
  /** Whether a user types the input; else it is a file or a pipe. */
  readonly typed: boolean
  /** Whether the reader of stdout has closed it, so that further output is lost. */
  readonly readerGone: boolean
  /** Why stdout lost output that its reader wanted, as a sentence; null when it lost none. */
  readonly lost: string | null
  /** Writes to stdout. Resolves when the stream takes more. */
  print(text: string | Uint8Array): Promise<void>
  /** Writes one sentence for the user to stderr. */
  say(sentence: string): void
  /** Replaces the progress line on stderr; null removes it. @returns whether stderr is a screen */
  progress(text: string | null): boolean
  /** Reads stdin to its end. @throws when it is longer than the limit */
  readAll(): Promise<Buffer>
  /** Resolves when all output has left this process, so that the process may end. */
  flush(): Promise<void>
}

export function processTerminal(): Terminal {
  return openTerminal(process.stdin, toFile() ?? process.stdout, process.stderr, process.env)
}

/** Stdout when it is a file: `process.stdout` would lose the rest of a text that fits on the disk only in part. */
function toFile(): Writable | null {
  try {
    return fstatSync(1).isFile() ? createWriteStream('', { fd: 1, autoClose: false }) : null
  } catch {
    return null
  }
}

/** Failures that lose output: other ones mean that its reader is gone, which is none. */
const LOSSES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Makes a terminal of three streams; each may be a screen or not. */
export function openTerminal(
  input: Readable & { readonly isTTY?: boolean },
  output: Writable & { readonly columns?: number; readonly isTTY?: boolean },
  errors: Writable & { readonly isTTY?: boolean; readonly columns?: number },
  env: Terminal['env'],
): Terminal {
  let readerGone = false
  let lost: string | null = null
  let progress = ''
  const clear = () => {
    if (progress !== '') errors.write(CLEAR_LINE)
    progress = ''
  }
  // `head` closes the pipe early, which is no failure; and a host must go on receiving when its terminal closes.
  const fail = (error: unknown) => {
    readerGone = true
    if (LOSSES.has(systemCode(error))) lost = `Stdout cannot be written: ${fileTrouble(error, 'written')}.`
  }
  output.on('error', fail)
  errors.on('error', () => {})
  const written = (stream: Writable, text: string | Uint8Array) =>
    new Promise<void>((resolve) => {
      if (stream.destroyed || stream.errored) resolve()
      else
        stream.write(text, (error) => {
          // The event follows later than the end of a short command.
          if (error && stream === output) fail(error)
          resolve()
        })
    })
  return {
    env,
    columns: output.columns || Number.POSITIVE_INFINITY,
    coloured: output.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
    typed: input.isTTY === true,
    get readerGone() {
      return readerGone
    },
    get lost() {
      return lost
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
      // Cut to the screen's width, since a wrapped line cannot be erased whole. A width of 0 means that the terminal does not know it.
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
 * Paces a polling loop: each wait is longer than the one before, up to `lastMs`, and ends early when the user stops the command.
 * @param more whether to poll again without a wait @yields whether the user has stopped the command
 */
export async function* polls(stop: Promise<void>, firstMs: number, lastMs: number, more = () => false) {
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

/** Time to finish work in flight after a stop signal; then the process ends (Command line: exit within 5 s). */
const DEADLINE_MS = 4_800
/** One Ctrl-C can arrive twice: from the terminal and from the parent process. */
const SAME_SIGNAL_MS = 300
const NUMBERS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const

/**
 * Resolves at the first stop signal. From then on the process has a deadline, and a second signal ends it at once.
 * @param late exit code when the deadline passes; default 0, since a host did its work until then
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
        say('Acuse ended before all work was finished.')
        process.exit(late)
      }, DEADLINE_MS).unref()
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ask(signal))
    // When an older Node started this process (launch/acuse.cjs) and is killed, no signal arrives here any more.
    process.on('disconnect', () => ask('SIGTERM'))
  })
}
