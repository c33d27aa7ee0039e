import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_CONNECTION, DEFAULT_ENDPOINT, DEFAULT_SCHEDULE, DEFAULT_TARGET } from '#contract/defaults.ts'
import { openSettings } from '#hosts/settings-file.ts'
import { tempFolder } from './temp-folder.ts'

export const endpoint = (name: string, more: object = {}) => ({
  ...DEFAULT_ENDPOINT,
  name,
  path: `/${name}`,
  ...more,
})
export const target = (name: string, more: object = {}) => ({
  ...DEFAULT_TARGET,
  name,
  url: 'http://127.0.0.1:9000/',
  ...more,
})
export const connection = (name: string, more: object = {}) => ({
  ...DEFAULT_CONNECTION,
  name,
  baseUrl: 'https://api.example.test',
  ...more,
})
export const schedule = (name: string, more: object = {}) => ({
  ...DEFAULT_SCHEDULE,
  connection: name,
  ...more,
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
