import { expect, test } from 'vitest'
import { readFilter } from '#core/filter/read.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { openCapturedRequests } from '#storage/replays/captured-requests.ts'
import { captured, ledgerIn, preview } from './support.ts'

/** What `captured` plants: bodies of two x and a Host header. */
const OPENED = ['header.host:local', '/^x{2}$/', 'body:XX', 'size:2 method:post']

test.each(OPENED)('a job and a forward may select by %s, for which deliveries are opened', (filter) => {
  const { folder } = captured(4)
  const ledger = ledgerIn(folder)
  expect(preview(ledger, { type: 'filter', filter }, []).count).toBe(4)
  expect(preview(ledger, { type: 'filter', filter: `-(${filter})` }, []).count).toBe(0)
  const requests = openCapturedRequests({ paths: storeFiles(folder) })
  expect(requests.forwardable(2, readFilter(filter))).toBe(true)
  expect(requests.forwardable(2, readFilter(`-(${filter})`))).toBe(false)
  // Nothing was sent yet, on either side.
  expect(requests.forwardable(2, readFilter('-is:replayed'))).toBe(true)
  requests.close()
})
