import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '#contract/errors.ts'
import { recallJson, writeAtomically } from './atomic-file.ts'

/** Not the settings file: a user may delete an endpoint there while Acuse is not running, and its secret header must stay masked. */
const FILE = 'secret-headers.json'

const memory = z.array(z.string())

/** Lower-case names of all headers that ever carried an endpoint's secret. The file contains no values. */
export interface SecretHeaders {
  names(): ReadonlySet<string>
  /** Adds names; resolves once they are on disk. @throws AcuseError `store-failed` */
  remember(names: ReadonlySet<string>): Promise<void>
}

/**
 * Opens the secret headers of a data folder and adds those of the present settings. An invalid file counts as empty:
 * then Acuse masks only the headers that the settings name. When the file cannot be written, Acuse warns and runs.
 */
export async function openSecretHeaders(
  folder: string,
  inUse: ReadonlySet<string>,
  warn: (message: string) => void,
): Promise<SecretHeaders> {
  const path = join(folder, FILE)
  let written: ReadonlySet<string> = new Set(await recallJson(path, memory))
  const headers: SecretHeaders = {
    names: () => written,
    async remember(names) {
      const all = new Set([...written, ...names])
      if (all.size === written.size) return
      await writeAtomically(path, `${JSON.stringify([...all])}\n`)
      written = all
    },
  }
  await headers.remember(inUse).catch((error: unknown) => {
    warn(messageOf(error))
  })
  return headers
}
