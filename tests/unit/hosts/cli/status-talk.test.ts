import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { HostStatus, LogProblem } from '#contract/status.ts'
import { reportStatus } from '#hosts/cli/shared/status-talk.ts'
import { EngineDouble, QUIET_STATUS } from '../../../support/engine-double.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what goes wrong is said once, and so is its end', async () => {
  let status: HostStatus = QUIET_STATUS
  const said: string[] = []
  const engine = new EngineDouble({ 'status.get': async () => status })
  const stop = reportStatus(engine, status, (sentence) => said.push(sentence))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(said).toEqual([])
  status = { ...QUIET_STATUS, store: { ...QUIET_STATUS.store, state: 'behind', reason: 'disk full' } }
  await vi.advanceTimersByTimeAsync(5_000)
  expect(said).toEqual([expect.stringContaining('(disk full)')])
  status = QUIET_STATUS
  await vi.advanceTimersByTimeAsync(5_000)
  expect(said.slice(1)).toEqual(['All is well again.'])
  stop()
  status = { ...QUIET_STATUS, store: { ...QUIET_STATUS.store, state: 'refusing', reason: 'gone' } }
  await vi.advanceTimersByTimeAsync(5_000)
  expect(said).toHaveLength(2)
})

test.each([
  ['port-in-use', 'port 4400 on 127.0.0.1 is in use. Port 4405 is free: --receiver-port 4405.'],
  ['no-permission', 'may not listen on port 4400'],
  ['bad-address', '127.0.0.1 is not an address of this machine'],
  ['failed', '(the words of the system)'],
] as const)('a receiver that failed with %s says so at once', (code, sentence) => {
  const said: string[] = []
  const message = 'the words of the system'
  const failure = { code, host: '127.0.0.1', port: 4400, message, nextFreePort: 4405 }
  const status: HostStatus = { ...QUIET_STATUS, receiver: { state: 'failed', failure } }
  reportStatus(new EngineDouble(), status, (text) => said.push(text))()
  expect(said).toEqual([expect.stringContaining(sentence)])
})

test('what the log did not give is told at the start', () => {
  const said: string[] = []
  const logProblems: LogProblem[] = [
    { kind: 'journal', path: '/data/spill-1.journal', reason: 'Permission denied' },
    { kind: 'unfinished', bytes: 112 },
    { kind: 'cut', from: 5, to: 10_002 },
    { kind: 'partial', from: 3, to: 4 },
    { kind: 'damaged', from: 7, to: 9 },
    { kind: 'refused', id: 5, reason: 'too big' },
    { kind: 'altered', ids: [3, 8] },
  ]
  const status: HostStatus = { ...QUIET_STATUS, store: { ...QUIET_STATUS.store, logProblems } }
  reportStatus(new EngineDouble(), status, (text) => said.push(text))()
  expect(said).toEqual([
    expect.stringMatching(/spill-1\.journal cannot be read \(Permission denied\)/),
    expect.stringMatching(/112 unreadable bytes.*No sender was answered for it, unless/),
    expect.stringMatching(/The log is shorter.* No delivery gets the ids 5 to 10002 again/),
    expect.stringMatching(/Records 3 to 4 are missing from the last write/),
    expect.stringMatching(/Records 7 to 9 of the log are damaged/),
    expect.stringMatching(/refuses delivery 5 \(too big\)/),
    expect.stringMatching(/stored bytes of deliveries 3, 8/),
  ])
})
