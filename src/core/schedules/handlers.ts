import type { HandlersOf } from '#contract/commands.ts'
import type { Settings } from '#contract/settings.ts'
import { demandSending, type Feed } from '../threads.ts'
import type { Schedules } from './schedules.ts'

/** @param schedules null in a host that sends nothing */
export function scheduleHandlers(
  schedules: Schedules | null,
  announce: (changed: Promise<Settings>) => Promise<Settings>,
): HandlersOf<`schedules.${string}`> {
  const there = () => demandSending(schedules)
  return {
    'schedules.save': async (schedule) => announce(there().save(schedule)),
    'schedules.remove': async ({ connection }) => announce(there().remove(connection)),
    'schedules.list': async () => ({ schedules: there().list() }),
    'schedules.run-now': async ({ connection }) => there().runNow(connection),
  }
}

export function pushSchedules(schedules: Schedules, feed: Feed): void {
  schedules.onChange(() => feed.send('schedules.changed', { schedules: schedules.list() }))
  schedules.onEnd((state) => feed.send('schedules.finished', state))
}
