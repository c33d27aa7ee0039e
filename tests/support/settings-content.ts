import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_CONNECTION, DEFAULT_ENDPOINT, DEFAULT_SCHEDULE, DEFAULT_TARGET } from '#contract/defaults.ts'
import type { ScheduleRun, ScheduleState } from '#contract/schedule.ts'
import { openSettings } from '#hosts/settings-file.ts'
import { tempFolder } from './temp-folder.ts'

/** Makes a function that gives an entry with a name, the defaults and some changes. */
const named =
  <Usual extends object, Own extends object>(usual: Usual, own: (name: string) => Own) =>
  (name: string, more: object = {}) => ({ ...usual, ...own(name), ...more })

export const endpoint = named(DEFAULT_ENDPOINT, (name) => ({ name, path: `/${name}` }))
export const target = named(DEFAULT_TARGET, (name) => ({ name, url: 'http://127.0.0.1:9000/' }))
export const connection = named(DEFAULT_CONNECTION, (name) => ({ name, baseUrl: 'https://api.example.test' }))
export const schedule = named(DEFAULT_SCHEDULE, (name) => ({ connection: name }))

/** The schedule of "erp" after a run. */
export const scheduleState = (run: Partial<ScheduleRun>, more: object = {}): ScheduleState => ({
  ...{ schedule: schedule('erp', more), running: false, nextRun: 0 },
  last: {
    ...{ startedAt: 0, endedAt: 0, by: 'schedule', from: null, to: null, sweeps: [14] },
    ...{ missing: 0, differs: 0, fresh: 0, recovery: null, error: null },
    ...run,
  },
})

/** The settings as Acuse reads a file with this content. */
export async function opened(content: unknown) {
  const folder = tempFolder()
  const path = join(folder, 'settings.json')
  const text = JSON.stringify(content, null, 1)
  writeFileSync(path, text)
  const warnings: string[] = []
  const settings = await openSettings(folder, (message) => warnings.push(message))
  const kept = () => readdirSync(folder).filter((name) => name.startsWith('settings.json.'))
  return { folder, path, text, warnings, settings, now: settings.get(), kept }
}
