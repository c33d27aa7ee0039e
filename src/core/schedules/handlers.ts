import type { HandlersOf } from '#contract/commands.ts'
import { AcuseError } from '#contract/errors.ts'
import type { Pushes } from '#contract/pushes.ts'
import type { Settings } from '#contract/settings.ts'
import type { Schedules } from './schedules.ts'

/** @param schedules null in a host that sends nothing */
export function scheduleHandlers(
  schedules: Schedules | null,
  announce: (changed: Promise<Settings>) => Promise<Settings>,
): HandlersOf<`schedules.${string}`> {
  const there = (): Schedules => {
    if (!schedules) throw new AcuseError('not-available', 'This process sends nothing.')
    return schedules
  }
  return {
    'schedules.save': async (schedule) => announce(there().save(schedule)),
    'schedules.remove': async ({ connection }) => announce(there().remove(connection)),
    'schedules.list': async () => ({ schedules: there().list() }),
    'schedules.run-now': async ({ connection }) => there().runNow(connection),
  }
}

interface Feed {
  send<P extends 'schedules.changed' | 'schedules.finished'>(push: P, payload: Pushes[P]): void
}

export function pushSchedules(schedules: Schedules, feed: Feed): void {
  schedules.onChange(() => feed.send('schedules.changed', { schedules: schedules.list() }))
  schedules.onEnd((state) => feed.send('schedules.finished', state))
}
