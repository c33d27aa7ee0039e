import { expect, test } from 'vitest'
import { pluginAnswerText } from '#catalog/plugin-events.ts'
import { PLUGIN_EVENT_TYPES } from '#catalog/service.ts'

const LANGUAGES = ['en', 'es'] as const
const facts = { eventType: 'cobro.registrado', headerName: 'X-Plugin', redirected: true } as const

test.each(LANGUAGES)('%s: each status is explained, or said not to be shown', (language) => {
  const told = (status: number) => pluginAnswerText({ ...facts, status })[language]
  for (const status of [202, 302, 400, 401, 403, 404, 500]) expect(told(status)).toContain(String(status))
  for (const type of PLUGIN_EVENT_TYPES) expect(told(400)).toContain(type)
  expect(told(403)).toContain('X-Api-Key')
  for (const status of [401, 403]) expect(told(status)).toContain('X-Plugin')
  expect(told(302)).not.toBe(pluginAnswerText({ ...facts, status: 302, redirected: false })[language])
  expect(new Set([202, 302, 400, 401, 403, 500].map((status) => told(status).replace(/\d/g, ''))).size).toBe(
    6,
  )
})
