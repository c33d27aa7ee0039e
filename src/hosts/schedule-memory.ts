import { join } from 'node:path'
import { z } from 'zod'
import { SYNC_ROUTES } from '#contract/values.ts'
import type { ScheduleMemories, ScheduleMemory } from '#core/schedules/ports.ts'
import { readIfThere, writeAtomically } from './atomic-file.ts'

const FILE = 'schedule-runs.json'

const id = z.int().positive()
const instant = z.number()
const text = z.string()
const memory: z.ZodType<ScheduleMemory> = z.object({
  since: instant,
  last: z
    .object({
      startedAt: instant,
      endedAt: instant,
      by: z.enum(['schedule', 'hand']),
      from: text.nullable(),
      to: text.nullable(),
      sweeps: z.array(id),
      missing: z.int().nullable(),
      differs: z.int().nullable(),
      fresh: z.int(),
      recovery: z.object({ target: text, documents: z.int(), events: z.int(), jobs: z.array(id) }).nullable(),
      error: z
        .object({ code: text, message: text, params: z.record(text, z.union([text, z.number()])) })
        .nullable(),
    })
    .nullable(),
  sweptTo: z.partialRecord(z.enum(SYNC_ROUTES), instant),
  told: z.array(text),
  underWay: z.object({ from: text, to: text, sweeps: z.array(id) }).nullable(),
  sending: z.object({ sweep: id, target: text, afterJob: z.int().nonnegative() }).nullable(),
})

/**
 * What a host remembers of its schedules from one run to the next. What cannot be understood counts as nothing: the next sweep looks as
 * far back as the first, and finds what was rebuilt before.
 */
export async function openScheduleMemories(folder: string): Promise<ScheduleMemories> {
  const path = join(folder, FILE)
  const memories = new Map(await read(path))
  let writing: Promise<unknown> = Promise.resolve()
  return {
    get: (connection) => memories.get(connection),
    set(connection, one) {
      if (one === undefined) memories.delete(connection)
      else memories.set(connection, one)
      const written = writing.then(() =>
        writeAtomically(path, `${JSON.stringify(Object.fromEntries(memories))}\n`),
      )
      writing = written.catch(() => {})
      return written
    },
  }
}

/** What cannot be understood counts as nothing: schedules then run as if they were new. */
async function read(path: string): Promise<readonly (readonly [string, ScheduleMemory])[]> {
  try {
    const content = await readIfThere(path)
    return content === undefined ? [] : Object.entries(z.record(text, memory).parse(JSON.parse(content)))
  } catch {
    return []
  }
}
