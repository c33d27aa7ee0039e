import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { fileTrouble } from '#core/file-trouble.ts'
import { couldNot } from './failures.ts'
import { visible } from './text.ts'

/**
 * Writes a file that the user named. It gets its name only when it is complete: until then it has another one beside it, and a failure or a
 * stop leaves nothing. Only the owner may read it. @throws CommandFailure when it cannot be written; the error of `pieces`
 */
export async function writeUserFile(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const target = resolve(path)
  const draft = `${target}.${process.pid}.part`
  const file = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true })
  const failed = finished(file).catch((error: unknown) => {
    throw couldNot(`${visible(path)} cannot be written: ${visible(fileTrouble(error, 'written'))}.`)
  })
  failed.catch(() => undefined)
  try {
    for await (const piece of pieces)
      if (!file.write(piece))
        await Promise.race([new Promise<void>((resume) => file.once('drain', () => resume())), failed])
    file.end()
    await failed
    await rename(draft, target)
  } catch (error) {
    file.destroy()
    await rm(draft, { force: true })
    if (error instanceof Error && 'syscall' in error)
      throw couldNot(`${visible(path)} cannot be written: ${visible(fileTrouble(error, 'written'))}.`)
    throw error
  }
}
