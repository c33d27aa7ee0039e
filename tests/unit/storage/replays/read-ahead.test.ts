import { expect, test } from 'vitest'
import { storeFiles } from '#storage/disk/files.ts'
import { openCapturedRequests } from '#storage/replays/captured-requests.ts'
import { captured } from './support.ts'

test('deliveries asked for one after the other are the same as those asked for by themselves, gaps and ends included', () => {
  const { folder, captured: db } = captured(200)
  db.exec('DELETE FROM delivery WHERE id IN (17, 40, 41, 42) OR id > 190')
  const ids = [...Array.from({ length: 210 }, (_, i) => i + 1), 5, 4, 100, 101, 102, 17, 40, 103]
  const running = openCapturedRequests({ paths: storeFiles(folder) })
  const seen = ids.map((id) => running.get(id))
  for (const [i, id] of ids.entries()) {
    const gone = [17, 40, 41, 42].includes(id) || id > 190
    expect(seen[i]?.id).toBe(gone ? undefined : id)
    expect(seen[i]?.receivedAt).toBe(gone ? undefined : id * 1_000)
  }
  running.close()
})

test('what was read ahead is not given out for long: it may have been deleted', async () => {
  const { folder, captured: db } = captured(50)
  const running = openCapturedRequests({ paths: storeFiles(folder) })
  for (let id = 1; id <= 10; id++) running.get(id)
  db.exec('DELETE FROM delivery WHERE id = 11')
  await new Promise((resolve) => setTimeout(resolve, 120))
  expect(running.get(11)).toBeUndefined()
  expect(running.get(12)?.id).toBe(12)
  running.close()
})
