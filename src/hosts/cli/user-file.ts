import { readFile } from 'node:fs/promises'
import { fileTrouble } from '../file-trouble.ts'
import { couldNot } from './failures.ts'
import type { Terminal } from './terminal.ts'
import { visible } from './visible.ts'

/**
 * A file that somebody named on the command line; `-` is stdin.
 * @throws CommandFailure with a sentence when it cannot be read
 */
export async function readUserFile(path: string, terminal: Terminal): Promise<Buffer> {
  if (path === '-') return terminal.readAll()
  try {
    return await readFile(path)
  } catch (error) {
    throw couldNot(`${visible(path)} cannot be read: ${visible(fileTrouble(error))}.`)
  }
}
