import { join } from 'node:path'
import { z } from 'zod'
import { readIfThere, writeAtomically } from './atomic-file.ts'

/** Address and credentials of a data folder's sandbox; members are named as in the JSON of `acuse sandbox`. */
export interface SandboxReady {
  readonly sandbox: string
  readonly admin: string
  readonly apiKey: string
  readonly pluginToken: string
}

export const SANDBOX_PORT = 4402

const FILE = 'sandbox.json'
const kept = z.object({
  url: z.string().nullable(),
  admin: z.string().min(1),
  apiKey: z.string().min(1),
  pluginToken: z.string().min(1),
})
/** Content of the file that a sandbox writes to its data folder, readable by this user alone: the address, and tokens for later runs. */
export type SandboxWord = z.infer<typeof kept>

/** @returns the sandbox that runs on a data folder, in any process; undefined when none runs */
export async function runningSandbox(folder: string): Promise<SandboxReady | undefined> {
  const found = await readWord(folder)
  return found && reached(found)
}

/** Checks with a request that the sandbox runs, since a killed process leaves its file. */
async function reached({ url, admin, apiKey, pluginToken }: SandboxWord): Promise<SandboxReady | undefined> {
  if (url === null) return undefined
  try {
    const answer = await fetch(`${url}/_sandbox/`, {
      headers: { Authorization: `Bearer ${admin}` },
      signal: AbortSignal.timeout(5_000),
    })
    await answer.body?.cancel()
    return answer.ok ? { sandbox: url, admin, apiKey, pluginToken } : undefined
  } catch {
    return undefined
  }
}

/** @returns undefined for a missing or invalid file @throws AcuseError `store-failed` when the file cannot be read */
export async function readWord(folder: string): Promise<SandboxWord | undefined> {
  const text = await readIfThere(join(folder, FILE))
  try {
    return text === undefined ? undefined : kept.parse(JSON.parse(text))
  } catch {
    // The sandbox then issues new tokens; the file holds nothing else of value.
    return undefined
  }
}

export const leaveWord = (folder: string, word: SandboxWord): Promise<void> =>
  writeAtomically(join(folder, FILE), JSON.stringify(word))
