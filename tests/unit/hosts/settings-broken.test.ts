import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_ENDPOINT, DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { openSettings } from '#hosts/settings-file.ts'
import { runs } from '../../support/depth.ts'
import { connection, endpoint, opened, schedule, target } from '../../support/settings-content.ts'

const NAMED = {
  endpoints: (name: string) => endpoint(name, { secret: { header: `X-${name}`, values: 1 } }),
  targets: target,
  connections: connection,
  savedFilters: (name: string) => ({ name, filter: 'verdict:invalid' }),
}
type Named = keyof typeof NAMED
const LISTS = Object.keys(NAMED) as Named[]
const MEMBERS = {
  receiver: {
    host: '0.0.0.0',
    port: 4_411,
    bodyLimit: 2_048,
    maxConnections: 99,
    maxConnectionsPerAddress: 98,
    tls: null,
    publicUrl: 'https://a.example.test/',
  },
  retention: {
    ...{ budgetBytes: 10_000_001, overBudget: 'refuse' },
    ...{
      rejectedDeliveries: 101,
      rejectedBytes: 10_000_002,
      malformedDeliveries: 102,
      malformedBytes: 10_000_003,
    },
  },
  desktop: { keepReceiving: true },
  appearance: { theme: 'dark', language: 'es' },
}

/** Ways in which a person, or a program, breaks an entry. */
const BREAKS: readonly ((entry: object) => unknown)[] = [
  () => 5,
  () => null,
  () => [],
  (entry) => [entry],
  (entry) => ({ ...entry, canary: 1 }),
  (entry) => ({ ...entry, name: 'Not a name!' }),
  (entry) => Object.fromEntries(Object.entries(entry).filter(([member]) => member !== 'name')),
]
/** Whether each of so many entries is broken, and how. */
const broken = fc.array(fc.option(fc.nat(BREAKS.length - 1), { freq: 2 }), { maxLength: 5 })
const faults = fc.record({
  lists: fc.record({ endpoints: broken, targets: broken, connections: broken, savedFilters: broken }),
  members: fc.uniqueArray(
    fc.constantFrom(
      ...Object.entries(MEMBERS).flatMap(([group, members]) =>
        Object.keys(members).map((member) => `${group}.${member}`),
      ),
    ),
  ),
})

test('whatever entries are broken, all others are in use, each broken one is told, and nothing is lost', async () => {
  await fc.assert(
    fc.asyncProperty(faults, async ({ lists, members }) => {
      const sound = (list: Named) =>
        lists[list].flatMap((how, n) => (how === null ? [NAMED[list](`n${n}`)] : []))
      const given = (list: Named) =>
        lists[list].map((how, n) => {
          const entry = NAMED[list](`n${n}`)
          return how === null ? entry : BREAKS[how]?.(entry)
        })
      const groups = Object.entries(MEMBERS).map(([group, all]) => [
        group,
        Object.fromEntries(
          Object.entries(all).map(([member, value]) => [
            member,
            members.includes(`${group}.${member}`) ? [value] : value,
          ]),
        ),
      ])
      const { now, warnings, settings, text, kept, folder } = await opened({
        ...Object.fromEntries(LISTS.map((list) => [list, given(list)])),
        ...Object.fromEntries(groups),
        schedules: lists.connections.map((_, n) => schedule(`n${n}`)),
      })
      const expected = Object.fromEntries(LISTS.map((list) => [list, sound(list)]))
      expect(now).toMatchObject({ ...expected, endpoints: [DEFAULT_ENDPOINT, ...sound('endpoints')] })
      expect(now.schedules.map((one) => one.connection)).toEqual(sound('connections').map(({ name }) => name))
      for (const [group, all] of Object.entries(MEMBERS)) {
        const refused = ([member]: [string, unknown]) => members.includes(`${group}.${member}`)
        const defaults = Object.entries(Object(DEFAULT_SETTINGS)[group] as object).filter(refused)
        expect(Object(now)[group]).toEqual({ ...all, ...Object.fromEntries(defaults) })
      }
      const count = (list: Named) => lists[list].filter((how) => how !== null).length
      expect(warnings).toHaveLength(
        LISTS.reduce((sum, list) => sum + count(list), count('connections') + members.length),
      )
      await settings.change((present) => present)
      expect(kept().map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(
        warnings.length > 0 ? [text] : [],
      )
      const again: string[] = []
      expect((await openSettings(folder, (message) => again.push(message))).get()).toEqual(now)
      expect(again).toEqual([])
    }),
    { numRuns: runs(60) },
  )
})
