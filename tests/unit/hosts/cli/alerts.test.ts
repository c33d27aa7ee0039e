import { expect, test } from 'vitest'
import { cliHost } from '../../../support/cli-host.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { words } from '../../../support/words.ts'

const { acuse, host, json } = cliHost()

test('acuse alerts: set, list, test and remove, as typed and with --json', async () => {
  const hook = await hookReceiver()
  const set = words`alerts set quiet --on silence --minutes 30 --hours 07:30-17:00 --days mon,fri --zone America/Lima --to ${hook.url}`
  expect(await json(set)).toEqual({
    ...{ name: 'quiet', enabled: true, cause: 'silence', filter: '', minutes: 30 },
    hours: { from: '07:30', to: '17:00', weekdays: ['mon', 'fri'], zone: 'America/Lima' },
    ...{ target: hook.url, program: null },
  })
  expect(await json(words`alerts test quiet`)).toMatchObject({ problem: null })
  expect(JSON.parse(String(hook.received[0]?.body))).toMatchObject({ alert: 'quiet', event: 'test' })
  expect(await json(words`alerts set quiet --always --rename still`)).toMatchObject({
    name: 'still',
    hours: null,
  })
  const { stdout } = await acuse(words`alerts list`)
  expect(stdout).toContain('still  silence')
  expect((await json(words`config get alerts`))[0]).toMatchObject({ name: 'still' })
  const settings = JSON.stringify({ alerts: [{ name: 'still', minutes: 45 }] })
  expect((await acuse(words`config apply -`, { stdin: settings })).code).toBe(0)
  expect((await json(words`alerts list`)).alerts[0].alert).toMatchObject({ minutes: 45 })
  expect(await json(words`alerts remove still`)).toEqual({ removed: 'still' })
})

test.each([
  ['alerts set a --on silence', 'There is no alert named "a" yet'],
  ['alerts set a --on missed --to http://127.0.0.1:9/ --minutes 5', '--minutes is not for'],
  ['alerts set a --on missed --to http://127.0.0.1:9/ --filter x', '--filter is for'],
  ['alerts set a --on invalid --to http://127.0.0.1:9/ --zone UTC', '--hours, --days, --zone and --always'],
  ['alerts set a --on silence --to http://127.0.0.1:9/ --minutes 0', 'at least 1'],
  ['alerts set a --on silence --to http://127.0.0.1:9/ --hours 8-18', '08:00-18:00'],
  ['alerts set a --on missed --to nowhere', 'There is no target'],
  ['alerts set a --on missed --to http://169.254.169.254/', 'link-local'],
  ['alerts set a --on missed --program tell.sh', 'is not there or cannot be run'],
  ['alerts set a --on missed --program ../x', 'without a path'],
  ['alerts set a --on missed --program x --to http://127.0.0.1:9/', 'either --program or --to'],
  ['alerts test nope', 'There is no alert'],
])('acuse %s: refused with a reason', async (line, why) => {
  const { code, stdout, stderr } = await acuse(line.split(' '))
  expect([code, stdout]).toEqual([expect.not.stringMatching(/^$/), ''])
  expect(code).toBeGreaterThan(1)
  expect(stderr).toContain(why)
})

test('the end of acuse serve is no incident of the receiver', async () => {
  const hook = await hookReceiver()
  await json(words`alerts set off --on receiver-off --to ${hook.url}`)
  await host().stop()
  expect((await json(words`alerts list`)).alerts).toMatchObject([{ open: [], waiting: 0 }])
  expect(hook.received).toEqual([])
})
