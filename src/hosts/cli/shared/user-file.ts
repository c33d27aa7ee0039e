import { createReadStream } from 'node:fs'
import { fileTrouble } from '../../file-trouble.ts'
import { couldNot } from './failures.ts'
import { readBounded, type Terminal } from './terminal.ts'
import { visible } from './text.ts'

/**
 * A file that the user named on the command line; `-` is stdin.
 * @throws CommandFailure with a sentence when it cannot be read
 */
export async function readUserFile(path: string, terminal: Terminal): Promise<Buffer> {
  try {
    return path === '-' ? await terminal.readAll() : await readBounded(createReadStream(path))
  } catch (error) {
    const name = path === '-' ? 'What came on stdin' : visible(path)
    throw couldNot(`${name} cannot be read: ${visible(fileTrouble(error))}.`)
  }
}
