import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from '@playwright/test'

/** Measurements inside the window, in milliseconds since it began to load. */
interface Watched {
  tasks: number[]
  askedAt: number
}

declare global {
  var browse: Watched
}

/** Records long tasks and the moment of each filter request, from the start of loading. */
export async function watchWindow(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched: Watched = { tasks: [], askedAt: 0 }
    globalThis.browse = watched
    new PerformanceObserver((entries) => {
      for (const { duration } of entries.getEntries()) watched.tasks.push(duration)
    }).observe({ type: 'longtask', buffered: true })
    // Enter and the debounce of typing both send the filter; the earlier of them counts.
    addEventListener('input', () => (watched.askedAt = performance.now() + 120), true)
    addEventListener(
      'keydown',
      ({ key }) => {
        if (key === 'Enter') watched.askedAt = Math.min(watched.askedAt, performance.now())
      },
      true,
    )
  })
}

export const longTasks = (page: Page): Promise<number[]> =>
  page.evaluate(() => globalThis.browse.tasks.splice(0))

export interface Filtered {
  /** Milliseconds to the frame with the first rows. */
  readonly rows: number
  /** Milliseconds to the frame with the total. */
  readonly count: number
  readonly total: number
}

/**
 * Types a filter, which must select less than half of all rows, and presses Enter.
 * @returns the times from then on; waits for the total at most `timeoutMs`
 */
export async function filterBy(page: Page, filter: string, timeoutMs = 60_000): Promise<Filtered> {
  const field = page.locator('[data-filter]')
  const before = await page.evaluate(() =>
    Number(document.querySelector('[data-grid]')?.getAttribute('aria-rowcount')),
  )
  const measured = page.evaluate(
    ({ all, until }) =>
      new Promise<Filtered>((done) => {
        let rows = 0
        let whole = 0
        let none = 0
        const began = performance.now()
        const { browse } = globalThis
        browse.askedAt = Number.POSITIVE_INFINITY
        const check = () => {
          const now = performance.now()
          const grid = document.querySelector('[data-grid]')
          const total = Number(grid?.getAttribute('aria-rowcount') ?? 0) - 1
          const shown =
            total >= 0 && total < all / 2 && document.querySelector('[data-index]:not([aria-busy])') !== null
          // Accept an empty list only when it stays empty: a search without results so far looks the same.
          const searching = document.querySelector('progress') !== null
          const nothing = grid === null && !searching && document.querySelector('[data-filter]') !== null
          none = nothing && now > browse.askedAt ? none || now : 0
          if (now > browse.askedAt && shown) rows ||= now
          else if (none > 0 && now - none > 1_000) rows ||= none
          // The progress bar may appear a few frames after the first rows.
          if (searching) whole = 0
          else if (rows > 0) whole ||= Math.max(rows, none || now)
          const { askedAt } = browse
          if ((whole > 0 && now - whole > 100) || now - began > until)
            done({
              rows: (rows || now) - askedAt,
              count: (whole || now) - askedAt,
              total: Math.max(0, total),
            })
          else requestAnimationFrame(check)
        }
        requestAnimationFrame(check)
      }),
    { all: before, until: timeoutMs },
  )
  await field.fill(filter)
  await field.press('Enter')
  return measured
}

export async function clearFilter(page: Page, all: number): Promise<void> {
  await page.locator('[data-filter]').fill('')
  await page.locator('[data-filter]').press('Enter')
  await page.waitForFunction(
    (least) => Number(document.querySelector('[data-grid]')?.getAttribute('aria-rowcount')) >= least,
    all,
    { timeout: 60_000 },
  )
}

/** Scrolls the list by the wheel. @returns the times between frames, milliseconds */
export async function wheel(page: Page): Promise<number[]> {
  await page.getByRole('grid').hover()
  const frames = page.evaluate(
    () =>
      new Promise<number[]>((done) => {
        const times: number[] = []
        let last = performance.now()
        const step = (now: number) => {
          times.push(now - last)
          last = now
          if (times.length < 180) requestAnimationFrame(step)
          else done(times)
        }
        requestAnimationFrame(step)
      }),
  )
  for (let n = 0; n < 60; n++) {
    await page.mouse.wheel(0, 300)
    await wait(40)
  }
  return frames
}
