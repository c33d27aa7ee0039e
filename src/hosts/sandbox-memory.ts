import { join } from 'node:path'
import { z } from 'zod'
import { recallJson, writeAtomically } from './atomic-file.ts'

const memory = z.object({
  /** It ran when the host ended, so it starts with the next one. */
  running: z.boolean(),
  /** Asked for by a person; null for the usual one. */
  port: z.int().min(0).max(65_535).nullable(),
  /** Where it ran last; null while it never did. Absent in what an earlier version wrote. */
  url: z.string().nullable().default(null),
  /** The receiver's subscription as the host last set it; null while there was none yet. */
  subscription: z
    .object({
      id: z.int().positive(),
      url: z.string(),
      /** Name of the header that carries the receiver's secret. */
      header: z.string().nullable(),
    })
    .nullable(),
})

/** What a host remembers of its sandbox from one run to the next. No secret stands in it. */
export type SandboxMemory = z.infer<typeof memory>

const FILE = 'sandbox-host.json'
const NOTHING: SandboxMemory = { running: false, port: null, url: null, subscription: null }

/** What cannot be understood counts as nothing: all of it is made again. */
export const recallSandbox = async (folder: string): Promise<SandboxMemory> =>
  (await recallJson(join(folder, FILE), memory)) ?? NOTHING

export const rememberSandbox = (folder: string, content: SandboxMemory): Promise<void> =>
  writeAtomically(join(folder, FILE), `${JSON.stringify(content)}\n`)
