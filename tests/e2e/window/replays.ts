import type { Page } from '@playwright/test'
import type { Result } from '#contract/commands.ts'
import { fourTargets, replayTargets } from '../../support/replay-targets.ts'
import type { Seed, WindowHost } from '../../support/window-host.ts'
import { openWindow, type Shown } from './window.ts'

/** Opens the window on a host with four targets: `app` (the default), `staging`, `flaky` (alternates) and `down-box` (does not listen). */
export async function openWithTargets(page: Page, seed: Seed & Shown = {}): Promise<void> {
  const { url, hold } = await replayTargets()
  hold(false)
  const lived: Seed['lived'] = {
    name: 'four targets',
    async live({ host: { engine } }) {
      for (const target of fourTargets(url)) await engine.call('targets.save', target)
      await engine.call('targets.set-default', { name: 'app' })
    },
  }
  await openWindow(page, { count: 200, seed: 5, lived, ...seed })
}

/** Makes the window see the first job in another state. */
export async function changeJob(host: WindowHost, change: Partial<Result<'jobs.get'>>): Promise<void> {
  const job = { ...(await host.call('jobs.get', { id: 1 })), ...change }
  host.api.answer('jobs.get', () => job)
  host.api.alter('jobs.list', { jobs: [job] })
  host.api.push('replays.changed', { jobs: [job], forwards: null, deliveries: [], more: false })
}
