import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { z } from 'zod'
import { ownFileTrouble, systemCode } from '#core/file-trouble.ts'

/** Replaces a file, readable by this user alone. A crash leaves the whole old or the whole new content. @throws AcuseError `store-failed` */
export async function writeAtomically(path: string, content: string): Promise<void> {
  try {
    await replace(path, content)
  } catch (error) {
    throw ownFileTrouble(path, 'written', error)
  }
}

async function replace(path: string, content: string): Promise<void> {
  const draft = `${path}.new`
  // Remove anything with the draft's name: opening a pipe would never return.
  await rm(draft, { force: true })
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  await syncFolder(dirname(path))
}

/** @returns the content; undefined when the file does not exist @throws AcuseError `store-failed` with the file and the reason */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readOrdinary(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw ownFileTrouble(path, 'read', error)
  }
}

/** Reads a JSON file that Acuse can make again. @returns undefined when it is missing, unreadable or invalid */
export async function recallJson<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    const text = await readIfThere(path)
    return text === undefined ? undefined : schema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Makes a queue that runs tasks in sequence, also after a failed one. */
export function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}

/** As `writeAtomically`, with writes in sequence. */
export function writingInTurn(path: string): (content: () => string) => Promise<void> {
  const turn = inTurn()
  return (content) => turn(() => writeAtomically(path, content()))
}

/** Reads a whole file. Refuses pipes and devices, which may never end. @throws the file system's error */
export async function readOrdinary(path: string, encoding: 'utf8' | 'latin1' = 'utf8'): Promise<string> {
  const found = await stat(path)
  if (!found.isFile() && !found.isDirectory())
    throw Object.assign(new Error(`${path} is not a regular file`), { code: 'ENXIO' })
  return readFile(path, encoding)
}

/** Makes a rename survive a power cut. Windows cannot open folders, and journals renames itself. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
