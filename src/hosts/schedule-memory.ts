import { join } from 'node:path'
import { z } from 'zod'
import { id } from '#contract/params.ts'
import { scheduleRun } from '#contract/schedule.ts'
import { SYNC_ROUTES } from '#contract/values.ts'
import type { ScheduleMemories, ScheduleMemory } from '#core/schedules/ports.ts'
import { recallJson, writingInTurn } from './atomic-file.ts'

const FILE = 'schedule-runs.json'

const memory: z.ZodType<ScheduleMemory> = z.object({
  since: z.number(),
  last: scheduleRun.nullable(),
  sweptTo: z.partialRecord(z.enum(SYNC_ROUTES), z.number()),
  told: z.array(z.string()),
  underWay: z.object({ from: z.string(), to: z.string(), sweeps: z.array(id) }).nullable(),
  sending: z.object({ sweep: id, target: z.string(), afterJob: z.int().nonnegative() }).nullable(),
})

/** Ignores an invalid file: the next sweep then covers the range of a first one, and recognises events that were rebuilt before. */
export async function openScheduleMemories(folder: string): Promise<ScheduleMemories> {
  const path = join(folder, FILE)
  const memories = new Map(Object.entries((await recallJson(path, z.record(z.string(), memory))) ?? {}))
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
