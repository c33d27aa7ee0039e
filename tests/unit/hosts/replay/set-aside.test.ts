import { expect, test } from 'vitest'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { until } from './support.ts'
import { replayThread } from './thread.ts'

const jobOf = (id: number) =>
  ({
    source: { type: 'ids', ids: [id] },
    options: { ...DEFAULT_JOB_OPTIONS, to: { target: 'erp' } },
  }) as const

test('before the databases are set aside the thread that sends closes them, and what it has to send waits (Windows, renaming)', async () => {
  const target = await hookReceiver()
  const { one, append, readers, warnings } = await replayThread(['erp', target.url])
  const [thread] = readers
  const id = await append()
  const send = () => one.call('replay.send', { delivery: id, to: { target: 'erp' } })
  // Nothing has to begin for the sake of letting go.
  await thread?.release()
  thread?.reopen()
  expect((await send()).attempts[0]?.state).toBe('answered')

  await thread?.release()
  await expect(send()).rejects.toMatchObject({
    code: 'store-failed',
    message: expect.stringContaining('being replaced'),
  })
  expect(target.received).toHaveLength(1)

  thread?.reopen()
  const { id: job } = await one.call('jobs.start', jobOf(id))
  await until(
    () => one.call('jobs.get', { id: job }),
    ({ state }) => state === 'done',
  )
  expect(target.received).toHaveLength(2)
  expect(warnings).toEqual([])
})

test('a thread that begins while they are set aside does not open them either', async () => {
  const target = await hookReceiver()
  const { one, append, readers } = await replayThread(['erp', target.url])
  const [thread] = readers
  const id = await append()
  await thread?.release()
  const send = () => one.call('replay.send', { delivery: id, to: { target: 'erp' } })
  await expect(send()).rejects.toMatchObject({ code: 'store-failed' })
  thread?.reopen()
  expect((await send()).attempts[0]?.state).toBe('answered')
})
