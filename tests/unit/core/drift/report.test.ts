import { expect, it } from 'vitest'
import { driftJson, driftMarkdown } from '#core/drift/report.ts'
import { anEvent } from '../../../support/events.ts'
import { Kept } from './observing.ts'

it('a profile as Markdown keeps its cells whatever names came, in both languages, and as JSON it is the profile', () => {
  const kept = new Kept()
  kept.see(anEvent('factura.created', { data: { 'a|b\n`c`': true, StatusId: 5 } }))
  kept.see(anEvent('factura.created', { data: { StatusId: null } }))
  const profile = kept.shown()
  const text = driftMarkdown([profile], 'en')
  const table = text.split('\n').filter((line) => line.startsWith('|'))
  expect(table).toHaveLength(profile.fields.length + 2)
  for (const line of table) expect(line.split(/(?<!\\)\|/)).toHaveLength(9)
  expect(text).toContain('| `/data/StatusId` Status | yes | integer (1), null (1) | 5 (1) | 2 / 2 |')
  expect(text).toContain("| `/data/a\\|b 'c'` | no | true or false | true (1) | 1 / 2 |")
  expect(text).toContain('Still learning')
  expect(driftMarkdown([profile], 'es')).toContain('verdadero o falso')
  expect(JSON.parse(driftJson([profile]))).toEqual({ profiles: [profile] })
})
