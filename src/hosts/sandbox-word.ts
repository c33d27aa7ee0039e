import { join } from 'node:path'
import { z } from 'zod'
import { readIfThere, writeAtomically } from './atomic-file.ts'

/** How to reach the sandbox of a data folder, with the keys of the JSON that `acuse sandbox` prints. */
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
/** File that a sandbox writes into its data folder, readable by this user alone: its address, and its tokens, which survive it. */
export type SandboxWord = z.infer<typeof kept>

/** @returns the sandbox that runs on a data folder, in any process; undefined when none runs */
export async function runningSandbox(folder: string): Promise<SandboxReady | undefined> {
  const found = await readWord(folder)
  return found && reached(found)
}

/** Sends a request to it: a killed process leaves its file behind. */
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

/** @throws AcuseError `store-failed` when it is there and cannot be read */
export async function readWord(folder: string): Promise<SandboxWord | undefined> {
  const text = await readIfThere(join(folder, FILE))
  try {
    return text === undefined ? undefined : kept.parse(JSON.parse(text))
  } catch {
    // New tokens are issued then; nothing else stands in the file.
    return undefined
  }
}

export const leaveWord = (folder: string, word: SandboxWord): Promise<void> =>
  writeAtomically(join(folder, FILE), JSON.stringify(word))
