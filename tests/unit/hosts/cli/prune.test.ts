import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectLocal, type LocalClient } from '#hosts/local/client.ts'
import { cliHost, jsonLines } from '../../../support/cli-host.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { words } from '../../../support/words.ts'

const { host, acuse, post, json } = cliHost()

/** Fills an emptied store. @returns the engine, and a function that gives the ids left, counted from 1 */
async function filled(bodies: readonly number[]) {
  const client = await connectLocal(host().dataDir)
  if (!client) throw new Error('no host')
  onTestFinished(() => client.close())
  const { call }: LocalClient = client
  const ids = async (): Promise<number[]> =>
    jsonLines((await acuse(['events', '--json'])).stdout).map(({ id }) => id)
  await call('deliveries.pin', { ids: await ids(), pinned: false })
  await call('retention.apply', { keepNewest: 0 })
  for (const size of bodies) await post('/', 'x'.repeat(size))
  const [first = 0] = await ids()
  return { call, first, left: async () => (await ids()).map((id) => id - first + 1) }
}

test('acuse prune: --keep leaves the newest and the pinned ones; a dry run deletes nothing', async () => {
  const { call, first, left } = await filled([1, 1, 1, 1, 1, 1])
  await call('deliveries.pin', { ids: [first + 1], pinned: true })
  const would = await json(words`prune --keep 2 --dry-run`)
  expect(would).toMatchObject({ dryRun: true, deliveries: 3, pinnedExempt: 1 })
  expect(would.newest).toMatch(/^\d{4}-.*Z$/)
  expect(await left()).toEqual([1, 2, 3, 4, 5, 6])
  expect(await json(words`prune --keep 2`)).toEqual({ ...would, dryRun: false })
  expect(await left()).toEqual([2, 5, 6])
})

test('acuse prune: --older-than goes by the time of arrival', async () => {
  await filled([])
  const file = join(tempFolder(), 'old.ndjson')
  const receivedAt = '2020-10-01T12:00:00.000000Z'
  writeFileSync(file, JSON.stringify({ receivedAt, method: 'POST', url: '/', size: 2, body: '{}' }))
  expect(await acuse(['import', file])).toMatchObject({ code: 0 })
  expect(await json(words`prune --older-than 1h --dry-run`)).toMatchObject({ deliveries: 1 })
  await post('/', 'x')
  const { stdout } = await acuse(words`prune --older-than 1h`)
  expect(stdout).toMatch(/^Deliveries deleted: 1 \([\d,]+ bytes, received 2020-.* to .*\)\.\n$/)
  expect(await json(words`prune --older-than 1h`)).toMatchObject({ deliveries: 0, oldest: null })
})

test('acuse prune: --max-bytes empties the trash first, then deletes the oldest', async () => {
  const { call, first, left } = await filled([3_000_000, 3_000_000, 3_000_000, 3_000_000])
  await call('deliveries.trash', { ids: [first + 3] })
  const used = async () => (await call('status.get', {})).disk.usedBytes
  expect(await json(words`prune --max-bytes 1gb`)).toMatchObject({ deliveries: 0, trash: { deliveries: 0 } })
  const little = String((await used()) - 1_000_000)
  const trashed = { deliveries: 0, trash: { deliveries: 1 } }
  expect(await json(words`prune --max-bytes ${little} --dry-run`)).toMatchObject(trashed)
  expect(await json(words`prune --max-bytes ${little}`)).toMatchObject(trashed)
  expect(await left()).toEqual([1, 2, 3])
  // The figures of the disk are measured once a second.
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  expect(await json(words`prune --max-bytes ${(await used()) - 4_000_000}`)).toMatchObject({ deliveries: 2 })
  expect(await left()).toEqual([3])
})

test.each([
  ['', 'exactly one of'],
  ['--keep 1 --max-bytes 1gb', 'exactly one of'],
  ['--keep -1', 'whole number'],
  ['--older-than 30', '30d, 12h or 90m'],
  ['--older-than 0d', '30d, 12h or 90m'],
  ['--max-bytes ">1gb"', '2gb, 500mb'],
])('acuse prune %s: refused with 2', async (line, sentence) => {
  const args = words(`prune ${line}`).map((word) => word.replaceAll('"', ''))
  expect(await acuse(args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) })
})
