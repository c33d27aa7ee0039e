import { EventEmitter } from 'node:events'
import type { App } from 'electron'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { quitOrderly } from '../../../src/main/quit.ts'
import { reloadAfterCrash } from '../../../src/main/revival.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function quitting(close: () => Promise<void>) {
  const exits: number[] = []
  const warnings: string[] = []
  const app = Object.assign(new EventEmitter(), { exit: (code: number) => void exits.push(code) })
  quitOrderly(app as unknown as App, close, (warning) => void warnings.push(warning))
  const hold = vi.fn<() => void>()
  return { exits, warnings, quit: () => app.emit('before-quit', { preventDefault: hold }), hold }
}

it('quitting (reliability, row 10): closes the host first, once, however often it is asked', async () => {
  const close = vi.fn<() => Promise<void>>().mockResolvedValue()
  const { exits, quit, hold } = quitting(close)
  quit()
  quit()
  expect(hold).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(0)
  expect(close).toHaveBeenCalledOnce()
  expect(exits).toEqual([0])
})
it('quitting: does not wait longer than 5 s', async () => {
  const { exits, warnings, quit } = quitting(() => new Promise(() => undefined))
  quit()
  await vi.advanceTimersByTimeAsync(4_999)
  expect(exits).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(exits).toEqual([3])
  expect(warnings).toHaveLength(1)
})
it('quitting: says why the store could not be closed, and exits with 3', async () => {
  const { exits, warnings, quit } = quitting(() => Promise.reject(new Error('disk gone')))
  quit()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(exits).toEqual([3])
  expect(warnings[0]).toContain('disk gone')
})

function dying() {
  const reload = vi.fn<() => void>()
  const contents = Object.assign(new EventEmitter(), { reload, isDestroyed: () => false })
  const died = contents as unknown as Parameters<typeof reloadAfterCrash>[0]
  reloadAfterCrash(died, () => undefined, Date.now)
  const die = (reason: string) => contents.emit('render-process-gone', {}, { reason, exitCode: 1 })
  return { die, reload }
}
it('a page whose process dies (reliability, row 9): is left alone after it died four times in a minute, and tried again later', () => {
  const { die, reload } = dying()
  for (let death = 0; death < 6; death++) die('oom')
  expect(reload).toHaveBeenCalledTimes(3)
  vi.advanceTimersByTime(61_000)
  die('oom')
  expect(reload).toHaveBeenCalledTimes(4)
})
it('a page: whose process dies: that left by itself stays away', () => {
  const { die, reload } = dying()
  die('clean-exit')
  expect(reload).not.toHaveBeenCalled()
})
