import type { Terminal } from '#hosts/cli/shared/terminal.ts'

/** A terminal in memory: no screen, no user typing. */
export function terminalDouble(
  given: Partial<Pick<Terminal, 'env' | 'coloured' | 'columns' | 'progress' | 'typed'>> = {},
) {
  let out = ''
  let errors = ''
  return {
    env: {},
    columns: Number.POSITIVE_INFINITY,
    coloured: false,
    typed: false,
    readerGone: false,
    lost: null,
    progress: () => false,
    ...given,
    stdout: () => out,
    stderr: () => errors,
    async print(text: string) {
      out += text
    },
    say(sentence: string) {
      errors += `${sentence}\n`
    },
    readAll: async () => Buffer.alloc(0),
    flush: async () => {},
  }
}
