import { join } from 'node:path'
import { z } from 'zod'
import { alertState, openIncident } from '#contract/alerts.ts'
import type { AlertMemories } from '#core/alerts/alerts.ts'
import type { AlertMemory } from '#core/alerts/incidents.ts'
import { recallJson, writingInTurn } from './atomic-file.ts'

const FILE = 'alerts.json'

const { lastSentAt, lastFailure, discarded } = alertState.shape
const memory: z.ZodType<AlertMemory> = z.object({
  open: z.array(openIncident),
  outbox: z.array(openIncident.extend({ event: z.enum(['opened', 'recovered']), at: z.number() })),
  tries: z.number(),
  nextTryAt: z.number(),
  ...{ lastSentAt, lastFailure, discarded },
})
const memories: z.ZodType<AlertMemories> = z.object({
  lastIncident: z.number(),
  alerts: z.record(z.string(), memory),
  upTo: z.number().optional(),
})

const one = z.object({ lastIncident: z.number(), memory })

/** Ignores an invalid file: incidents that are still open are then told once more. */
export async function openAlertMemories(folder: string) {
  const path = join(folder, FILE)
  const write = writingInTurn(path)
  return {
    memories: (await recallJson(path, memories)) ?? { lastIncident: 0, alerts: {} },
    recall: (kept: unknown) => one.safeParse(kept).data,
    remember: (all: AlertMemories) => write(() => `${JSON.stringify(all)}\n`),
  }
}
