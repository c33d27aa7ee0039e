import { describe, expect, test } from 'vitest'
import { DEFAULT_CONNECTION, DEFAULT_SCHEDULE, DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { Settings } from '#contract/settings.ts'
import { planConfig } from '#hosts/cli/shared/config-file.ts'

const MAIN = {
  ...DEFAULT_CONNECTION,
  name: 'main',
  baseUrl: 'https://api.example.test',
  apiKey: 'stored',
} as const
const SETTINGS: Settings = { ...DEFAULT_SETTINGS, connections: [MAIN] }
const plan = (connection: object, env: Record<string, string> = {}) =>
  planConfig({ connections: [connection] }, SETTINGS, env)
const usage = (message: string) =>
  expect.objectContaining({ exit: 2, message: expect.stringContaining(message) })

describe('connections in a configuration file', () => {
  test('what "config get" prints is accepted, and keeps the credentials that are there', () => {
    const [step] = plan(JSON.parse(JSON.stringify(MAIN)))
    const { apiKey: _, pluginToken: __, ...rest } = MAIN
    expect(step).toMatchObject({ command: 'connections.save', says: 'connection main changed' })
    expect(step?.params).toEqual({ previousName: 'main', ...rest })
  })

  test('one that is new takes the defaults for what the file does not name', () => {
    const [step] = plan({ name: 'second', baseUrl: 'http://127.0.0.1:4500', timeouts: { answerMs: 5 } })
    expect(step?.params).toMatchObject({
      ...{ name: 'second', zone: 'America/Santo_Domingo', kinds: null },
      timeouts: { ...DEFAULT_CONNECTION.timeouts, answerMs: 5 },
    })
    expect(step?.params).not.toHaveProperty('previousName')
    const documentTypes = [{ id: 77, group: 'factura' }]
    expect(plan({ name: 'main', documentTypes })[0]?.params).toMatchObject({ documentTypes })
  })

  test('a credential stands there by the name of a variable, or as "none"', () => {
    const key = { name: 'main', apiKey: { fromEnv: 'KEY' }, pluginToken: 'none' }
    expect(plan(key, { KEY: 'k-1' })[0]?.params).toMatchObject({ apiKey: 'k-1' })
    expect(plan({ name: 'main', apiKey: 'none' })[0]?.params).toMatchObject({ apiKey: null })
    expect(() => plan(key)).toThrow(usage('connections.0.apiKey: the environment has no KEY.'))
    expect(() => plan({ name: 'main', pluginToken: 'stored' })).toThrow(usage('nothing is stored here yet'))
    expect(() => plan({ name: 'main', apiKey: 'k-1' })).toThrow(usage('connections.0.apiKey'))
  })

  test('what is wrong is said with its place', () => {
    expect(() => plan({ name: 'second' })).toThrow(usage('give a baseUrl to make it'))
    expect(() => plan({ name: 'main', zone: 'Mars' })).toThrow(usage('connections.0.zone'))
    expect(() => plan({ name: 'main', key: 'x' })).toThrow(usage('connections.0'))
    const documentTypes = [{ id: 77, group: 'invoice' }]
    expect(() => plan({ name: 'main', documentTypes })).toThrow(usage('connections.0.documentTypes.0.group'))
  })
})

describe('schedules in a configuration file', () => {
  const schedules = (schedule: object) =>
    planConfig({ schedules: [{ connection: 'main', ...schedule }] }, SETTINGS, {})
  test('are made from the defaults, and what the file does not say stays', () => {
    expect(schedules({ time: { at: '06:30' } })).toMatchObject([
      {
        command: 'schedules.save',
        says: 'schedule of main made',
        params: { ...DEFAULT_SCHEDULE, connection: 'main', time: { at: '06:30' } },
      },
    ])
  })
  test('say where they are wrong', () => {
    expect(() => schedules({ time: { at: '6:30' } })).toThrow(usage('schedules.0.time'))
    expect(() => schedules({ each: 5 })).toThrow(usage('schedules.0'))
  })
})
