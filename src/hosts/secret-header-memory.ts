import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '#contract/errors.ts'
import { recallJson, writeAtomically } from './atomic-file.ts'

/** Not in the settings file: a user may remove an endpoint there by hand while Acuse is not running, and its header must stay masked. */
const FILE = 'secret-headers.json'

const memory = z.array(z.string())

/** Names, lower case, of every header that an endpoint's secret came in while Acuse was running. Values never stand in it. */
export interface SecretHeaders {
  names(): ReadonlySet<string>
  /** Adds names; resolves once they are on disk. @throws AcuseError `store-failed` */
  remember(names: ReadonlySet<string>): Promise<void>
}

/**
 * Opens what a data folder remembers of secret headers, with those that the settings use now. What cannot be understood counts as nothing:
 * then only what the settings name is covered. What could not be written down is only warned of: Acuse runs all the same.
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
