import { z } from 'zod'
import { DEFAULT_SCHEDULE } from '#contract/defaults.ts'
import type { Settings } from '#contract/settings.ts'
import type { Step } from './config-paths.ts'
import { checked } from './config-step.ts'

/** A schedule in a configuration file: as `config get` prints it, or parts of it. */
export const fileSchedule = z.strictObject({
  connection: z.string(),
  enabled: z.unknown().optional(),
  time: z.unknown().optional(),
  route: z.unknown().optional(),
  overlapMinutes: z.unknown().optional(),
  lookBackDays: z.unknown().optional(),
  notify: z.unknown().optional(),
  recoverTo: z.unknown().optional(),
})

/**
 * What a configuration file asks of the schedules. Those that it does not name stay.
 * @throws CommandFailure saying where the file is wrong
 */
export function scheduleSteps(
  schedules: readonly z.infer<typeof fileSchedule>[],
  settings: Settings,
): readonly Step[] {
  return schedules.map((wanted, i) => {
    const { connection } = wanted
    const old = settings.schedules.find((one) => one.connection === connection)
    return checked(
      'schedules.save',
      { ...DEFAULT_SCHEDULE, ...old, ...wanted },
      `schedules.${i}`,
      `schedule of ${connection} ${old ? 'changed' : 'made'}`,
    )
  })
}
