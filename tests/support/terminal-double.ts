import type { Terminal } from '#hosts/cli/shared/terminal.ts'

export interface TerminalDouble extends Terminal {
  stdout(): string
  stderr(): string
}

/** A terminal in memory: no screen, no user typing. */
export function terminalDouble(
  given: Partial<Pick<Terminal, 'env' | 'coloured' | 'columns' | 'progress'>> = {},
): TerminalDouble {
  let out = ''
  let errors = ''
  return {
    env: {},
    columns: Number.POSITIVE_INFINITY,
    coloured: false,
    readerGone: false,
    progress: () => false,
    ...given,
    stdout: () => out,
    stderr: () => errors,
    async print(text) {
      out += text
    },
    say(sentence) {
      errors += `${sentence}\n`
    },
    readAll: async () => Buffer.alloc(0),
    flush: async () => {},
  }
}
