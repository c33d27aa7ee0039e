import { createServer } from 'node:http'
import type { Locator, Page } from '@playwright/test'
import { opened } from '../../support/listening-port.ts'
import { fourTargets } from '../../support/replay-targets.ts'
import { sampleBody } from '../../support/sample-deliveries.ts'
import type { WindowHost } from '../../support/window-host.ts'
import { openWorld } from './reconcile.ts'
import { openWithTargets } from './replays.ts'
import { cold, expect } from './test.ts'
import { button, copied, details, dialog, grid, openWindow, rowAt } from './window.ts'

/** Counts steps as docs/journeys.md does: a click, a shortcut, or a control reached by Tab and pressed by Enter is one step. */
class Walk {
  steps = 0
  readonly #page: Page
  readonly #by: 'mouse' | 'keyboard'

  constructor(page: Page, by: 'mouse' | 'keyboard') {
    this.#page = page
    this.#by = by
  }

  /** @param keys a shortcut for the control; at first Stream's list has the focus */
  async act(control: Locator, ...keys: readonly string[]): Promise<void> {
    this.steps += 1
    if (this.#by === 'mouse') return control.click()
    for (const key of keys) await this.#page.keyboard.press(key)
    if (keys.length === 0) await this.#tabTo(control)
  }

  /** A step for the keyboard only: a click selects a row and opens it at once. */
  async key(key: string): Promise<void> {
    if (this.#by === 'mouse') return
    this.steps += 1
    await this.#page.keyboard.press(key)
  }

  async #tabTo(control: Locator): Promise<void> {
    await expect(control).toBeVisible()
    const has = () => control.evaluate((element) => element === document.activeElement)
    const beside = () =>
      control.evaluate((element) => element.parentElement?.contains(document.activeElement) ?? false)
    // Tab moves to the selected tab; arrows select the others.
    const isTab = (await control.getAttribute('role')) === 'tab'
    for (let presses = 0; presses < 80 && !(await has()); presses += 1)
      await this.#page.keyboard.press(isTab && (await beside()) ? 'ArrowRight' : 'Tab')
    expect(await has(), 'keys reach the control').toBe(true)
    if (!isTab) await this.#page.keyboard.press('Enter')
  }
}

interface Journey {
  readonly aim: number
  walk(walk: Walk, page: Page, host: WindowHost): Promise<void>
}

const JOURNEYS: Readonly<Record<string, Journey>> = {
  'the first delivery is seen': {
    aim: 2,
    async walk(walk, page, host) {
      await openWindow(page, { count: 0 })
      await walk.act(button(page.getByRole('contentinfo'), 'Copy the URL'))
      await expect.poll(() => copied(page)).toBe(host.receiverUrl)
      // One step to enter the address at the sender.
      walk.steps += 1
      await fetch(await copied(page), { method: 'POST', body: sampleBody(5, 0, Date.now()) })
      await expect(rowAt(page, 0)).toContainText(/valid|noted|warning/)
    },
  },
  'a wrong delivery is understood': {
    aim: 3,
    async walk(walk, page, host) {
      await openWindow(page, { count: 30 })
      await host.deliver(
        '{"Event":"factura.created","Timestamp":"2026-11-21T10:42:17","data":{"DocumentId":"7"}}',
      )
      await expect(rowAt(page, 0)).toContainText('invalid')
      await grid(page).focus()
      await walk.act(rowAt(page, 0), 'ArrowDown')
      await walk.key('Enter')
      await walk.act(details(page).getByRole('tab', { name: /^Checks/ }))
      await expect(details(page).getByRole('tabpanel')).toContainText('/data/DocumentId')
    },
  },
  'a handler is fixed and proved by replay': {
    aim: 4,
    async walk(walk, page, host) {
      await openWithTargets(page, { count: 30 })
      await grid(page).focus()
      let status = 500
      const handler = createServer((_, answer) => answer.writeHead(status).end())
      const [app] = fourTargets(`http://127.0.0.1:${await opened(handler)}`)
      if (app) await host.call('targets.save', { ...app, name: 'app', previousName: 'app' })
      await walk.act(rowAt(page, 0), 'ArrowDown')
      const replay = details(page).getByRole('button', { name: 'Replay to the default target' })
      await walk.act(replay, 'r')
      await expect(page.getByRole('alert')).toContainText('500')
      status = 200
      await walk.act(replay, 'r')
      // The success replaces the failure.
      await expect(page.getByRole('status').filter({ hasText: '200' })).toBeVisible()
      await expect(page.getByRole('alert')).toHaveCount(0)
      handler.close()
    },
  },
  'a lost day is found and recovered': {
    aim: 6,
    async walk(walk, page) {
      const now = new Date()
      // The form's default is this month, which would contain no lost document in its first days.
      if (now.getDate() < 8) await page.clock.setFixedTime(new Date(now.getFullYear(), now.getMonth(), 0))
      await openWorld(page, { swept: false })
      await grid(page).focus()
      await walk.act(page.getByRole('link', { name: 'Reconcile' }), 'g', 'c')
      await walk.act(button(page, 'Run sweep'))
      await walk.act(button(page, /^Rebuild and replay \d/))
      await walk.act(button(dialog(page), /^Rebuild \d+ events/))
      await walk.act(button(dialog(page), 'Replay…'))
      await walk.act(button(dialog(page), /^Send \d+/))
      await expect(
        page.getByRole('group', { name: /by class/ }).getByRole('button', { name: 'recovered' }),
      ).toHaveText(/^[1-9]/)
    },
  },
}

for (const [name, { aim, walk }] of Object.entries(JOURNEYS))
  for (const by of ['mouse', 'keyboard'] as const)
    cold(`${name}: by ${by} in ${aim} steps at most`, async ({ page, host }) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      const counted = new Walk(page, by)
      await walk(counted, page, host)
      expect(counted.steps).toBeLessThanOrEqual(aim)
    })
