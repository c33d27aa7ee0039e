import type { Page } from '@playwright/test'
import { atHost, openWindow } from './window.ts'

/** Opens the window on a host with four targets: `app` (the default), `staging`, `flaky` (changes its mind) and `down-box` (not there). */
export async function openWithTargets(
  page: Page,
  query: Record<string, string | number> = {},
): Promise<void> {
  await openWindow(page, { count: 200, seed: 5, ...query })
  await atHost(page, (host) => {
    const plain = {
      method: null,
      path: 'target',
      query: 'append',
      headers: [],
      remove: [],
      timeouts: { connectMs: 10_000, answerMs: 30_000, totalMs: 120_000 },
      acceptAnyCertificate: false,
      keepSecret: false,
      keepCredentials: false,
      markReplays: true,
    } as const
    host.settings = {
      ...host.settings,
      defaultTarget: 'app',
      targets: [
        { ...plain, name: 'app', url: 'http://127.0.0.1:3000/hooks' },
        {
          ...plain,
          name: 'staging',
          url: 'https://staging.example.com/in',
          path: 'append',
          headers: [{ name: 'Authorization', value: null, secret: true }],
        },
        { ...plain, name: 'flaky', url: 'http://127.0.0.1:3001/' },
        { ...plain, name: 'down-box', url: 'http://127.0.0.1:3999/' },
      ],
    }
    host.push('settings.changed', host.settings)
  })
}

/** Goes to a place of the window, as `replays/forwards`. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = `#/${hash}`
  }, place)
}

/** Parameters of every call of a command from now on, read with `sent`. */
export async function record(page: Page): Promise<void> {
  await atHost(page, (host) => {
    const call = host.platform.call
    const sent: { command: string; params: unknown }[] = []
    Object.assign(window, { sent })
    Object.assign(host.platform, {
      call: (command: string, params: unknown) => {
        sent.push({ command, params })
        return call(command as never, params as never)
      },
    })
  })
}

export const sent = (page: Page, command: string): Promise<unknown[]> =>
  page.evaluate(
    (name) =>
      (window as unknown as { sent: { command: string; params: unknown }[] }).sent
        .filter((one) => one.command === name)
        .map((one) => one.params),
    command,
  )

export const dialog = (page: Page) => page.getByRole('dialog')
