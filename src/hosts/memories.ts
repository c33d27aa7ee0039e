import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '#contract/errors.ts'
import { id } from '#contract/params.ts'
import { scheduleRun } from '#contract/schedule.ts'
import { SYNC_ROUTES } from '#contract/values.ts'
import type { ScheduleMemories, ScheduleMemory } from '#core/schedules/ports.ts'
import { recallJson, writeAtomically, writingInTurn } from './atomic-file.ts'

/** What the hosts remember beside the settings, a small JSON file for each subject. Acuse can work without each of them. */
const FILES = {
  schedules: 'schedule-runs.json',
  secretHeaders: 'secret-headers.json',
  sandbox: 'sandbox-host.json',
} as const

const scheduleMemory: z.ZodType<ScheduleMemory> = z.object({
  since: z.number(),
  last: scheduleRun.nullable(),
  sweptTo: z.partialRecord(z.enum(SYNC_ROUTES), z.number()),
  told: z.array(z.string()),
  underWay: z.object({ from: z.string(), to: z.string() }).nullable(),
  sending: z.object({ sweep: id, target: z.string(), afterJob: z.int().nonnegative() }).nullable(),
})

export const recallSchedule = (kept: unknown): ScheduleMemory | undefined =>
  scheduleMemory.safeParse(kept).data

/** Ignores an invalid file: the next sweep then covers the range of a first one, and recognises events that were rebuilt before. */
export async function openScheduleMemories(folder: string): Promise<ScheduleMemories> {
  const path = join(folder, FILES.schedules)
  const memories = new Map(
    Object.entries((await recallJson(path, z.record(z.string(), scheduleMemory))) ?? {}),
  )
  const write = writingInTurn(path)
  return {
    get: (connection) => memories.get(connection),
    set(connection, one) {
      if (one === undefined) memories.delete(connection)
      else memories.set(connection, one)
      return write(() => `${JSON.stringify(Object.fromEntries(memories))}\n`)
    },
  }
}

/**
 * Lower-case names of all headers that ever carried an endpoint's secret. The file contains no values. It is not the settings file: a user
 * may delete an endpoint there while Acuse is not running, and its secret header must stay masked.
 */
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
  const path = join(folder, FILES.secretHeaders)
  let written: ReadonlySet<string> = new Set(await recallJson(path, z.array(z.string())))
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

const sandboxMemory = z.object({
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
export type SandboxMemory = z.infer<typeof sandboxMemory>

const NOTHING: SandboxMemory = { running: false, port: null, url: null, subscription: null }

/** Ignores a file that it cannot parse: the host can make all of it again. */
export const recallSandbox = async (folder: string): Promise<SandboxMemory> =>
  (await recallJson(join(folder, FILES.sandbox), sandboxMemory)) ?? NOTHING

export const rememberSandbox = (folder: string, content: SandboxMemory): Promise<void> =>
  writeAtomically(join(folder, FILES.sandbox), `${JSON.stringify(content)}\n`)
