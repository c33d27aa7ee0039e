import { join } from 'node:path'
import { z } from 'zod'
import { recallJson, writeAtomically } from './atomic-file.ts'

const memory = z.object({
  /** Whether the sandbox ran when the host ended; it then starts with the next host. */
  running: z.boolean(),
  /** The user's port; null for the default. */
  port: z.int().min(0).max(65_535).nullable(),
  /** The sandbox's last address; null before the first run. Earlier versions did not write it. */
  url: z.string().nullable().default(null),
  /** The receiver's subscription as the host last set it; null before the first one. */
  subscription: z
    .object({
      id: z.int().positive(),
      url: z.string(),
      /** Name of the header that carries the receiver's secret. */
      header: z.string().nullable(),
    })
    .nullable(),
})

/** The host's saved state of its sandbox. It contains no secret. */
export type SandboxMemory = z.infer<typeof memory>

const FILE = 'sandbox-host.json'
const NOTHING: SandboxMemory = { running: false, port: null, url: null, subscription: null }

/** Ignores a file that it cannot parse: the host can make all of it again. */
export const recallSandbox = async (folder: string): Promise<SandboxMemory> =>
  (await recallJson(join(folder, FILE), memory)) ?? NOTHING

export const rememberSandbox = (folder: string, content: SandboxMemory): Promise<void> =>
  writeAtomically(join(folder, FILE), `${JSON.stringify(content)}\n`)
