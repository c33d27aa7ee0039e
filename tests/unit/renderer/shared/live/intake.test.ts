import { afterEach, expect, test, vi } from 'vitest'
import type { Push } from '#contract/pushes.ts'
import type { HostStatus } from '#contract/status.ts'
import { startIntake } from '@/shared/live/intake.ts'
import { useStatus } from '@/shared/live/status.ts'
import type { Platform } from '@/shared/platform/types.ts'

afterEach(() => vi.unstubAllGlobals())

const status = (unfiled: number) => ({ counts: { unfiled } }) as HostStatus

test('an answer that was asked for before a push takes nothing of it back', async () => {
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => draw())
  const asked = Promise.withResolvers<HostStatus>()
  let push: (push: Push) => void = () => undefined
  const platform = {
    call: (command: string) => (command === 'status.get' ? asked.promise : Promise.resolve({})),
    onPush: (take: typeof push) => {
      push = take
      return () => undefined
    },
    onConnection: () => () => undefined,
  } as Partial<Platform> as Platform
  const nothing = () => undefined
  startIntake(platform, { apply: nothing, outdate: nothing, reopen: nothing, matched: nothing })
  push({ push: 'status.changed', seq: 1, payload: status(7) })
  asked.resolve(status(0))
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(useStatus.getState().status?.counts.unfiled).toBe(7)
})
