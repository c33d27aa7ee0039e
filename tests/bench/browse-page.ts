import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from '@playwright/test'

/** What is watched inside the window; times are those of its own clock, whose zero is when it began to load. */
interface Watched {
  firstRows: number | null
  tasks: number[]
  askedAt: number
}

declare global {
  var browse: Watched
}

/** Watches the window from its first moment: when rows are first drawn, and every task that holds it up. */
export async function watchWindow(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched: Watched = { firstRows: null, tasks: [], askedAt: 0 }
    globalThis.browse = watched
    new PerformanceObserver((entries) => {
      for (const { duration } of entries.getEntries()) watched.tasks.push(duration)
    }).observe({ type: 'longtask', buffered: true })
    // The later of Enter and a pause in typing asks for nothing that the earlier has not asked for.
    addEventListener('input', () => (watched.askedAt = performance.now() + 120), true)
    addEventListener(
      'keydown',
      ({ key }) => {
        if (key === 'Enter') watched.askedAt = Math.min(watched.askedAt, performance.now())
      },
      true,
    )
    const look = (now: number) => {
      if (document.querySelector('[data-grid] [data-index]:not([aria-busy])')) watched.firstRows ??= now
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
}

/** @returns milliseconds from the beginning of the load to the frame that shows rows */
export async function firstRows(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => globalThis.browse.firstRows, undefined, { timeout: 60_000 })
  return Number(await handle.jsonValue())
}

/** Tasks over 50 ms since it was last asked. */
export const longTasks = (page: Page): Promise<number[]> =>
  page.evaluate(() => globalThis.browse.tasks.splice(0))

export interface Filtered {
  /** To the frame with the first rows, milliseconds. */
  readonly rows: number
  /** To the frame with the number of all. */
  readonly count: number
  readonly total: number
}

/**
 * Types a filter, which must select less than half of all, and presses Enter.
 * @returns how long it took from then on; only as far as `count` in `patience` milliseconds
 */
export async function filterBy(page: Page, filter: string, patience = 60_000): Promise<Filtered> {
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
        const look = () => {
          const now = performance.now()
          const grid = document.querySelector('[data-grid]')
          const total = Number(grid?.getAttribute('aria-rowcount') ?? 0) - 1
          const shown =
            total >= 0 && total < all / 2 && document.querySelector('[data-index]:not([aria-busy])') !== null
          // That there are none is believed when it stays so: a search that found none yet shows as little.
          const searching = document.querySelector('progress') !== null
          const nothing = grid === null && !searching && document.querySelector('[data-filter]') !== null
          none = nothing && now > browse.askedAt ? none || now : 0
          if (now > browse.askedAt && shown) rows ||= now
          else if (none > 0 && now - none > 1_000) rows ||= none
          // The sign of a search may come a few frames after its rows.
          if (searching) whole = 0
          else if (rows > 0) whole ||= Math.max(rows, none || now)
          const { askedAt } = browse
          if ((whole > 0 && now - whole > 100) || now - began > until)
            done({
              rows: (rows || now) - askedAt,
              count: (whole || now) - askedAt,
              total: Math.max(0, total),
            })
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    { all: before, until: patience },
  )
  await field.fill(filter)
  await field.press('Enter')
  return measured
}

/** Shows everything again. */
export async function clearFilter(page: Page, all: number): Promise<void> {
  await page.locator('[data-filter]').fill('')
  await page.locator('[data-filter]').press('Enter')
  await page.waitForFunction(
    (least) => Number(document.querySelector('[data-grid]')?.getAttribute('aria-rowcount')) >= least,
    all,
    { timeout: 60_000 },
  )
}

/** Puts the scroll bar to random places. @returns for each, how long any row in sight was blank, milliseconds */
export function scrollAbout(page: Page, times: number): Promise<number[]> {
  return page.evaluate(async (count) => {
    const frame = () => new Promise<number>((done) => requestAnimationFrame(done))
    const blank = (scroller: Element) => {
      const { top, bottom } = scroller.getBoundingClientRect()
      const edges = [...scroller.querySelectorAll('[data-index]')].map((row) => ({
        busy: row.hasAttribute('aria-busy'),
        box: row.getBoundingClientRect(),
      }))
      const seen = edges.filter(({ box }) => box.bottom > top + 26 && box.top < bottom)
      const least = Math.min(...seen.map(({ box }) => box.top))
      const most = Math.max(...seen.map(({ box }) => box.bottom))
      return seen.length === 0 || seen.some(({ busy }) => busy) || least > top + 27 || most < bottom - 20
    }
    const took: number[] = []
    let seed = 7
    for (let n = 0; n < count; n++) {
      const scroller = document.querySelector('[data-grid]')
      if (!scroller) break
      seed = (seed * 48_271) % 2_147_483_647
      const began = performance.now()
      scroller.scrollTop = Math.floor(
        (seed / 2_147_483_647) * (scroller.scrollHeight - scroller.clientHeight),
      )
      await frame()
      let now = await frame()
      while (blank(scroller) && now - began < 10_000) now = await frame()
      took.push(now - began)
      for (let pause = 0; pause < 12; pause++) await frame()
    }
    return took
  }, times)
}

/** Time between frames for so many of them. */
export function frameTimes(page: Page, count: number): Promise<number[]> {
  return page.evaluate(
    (most) =>
      new Promise<number[]>((done) => {
        const times: number[] = []
        let last = performance.now()
        const step = (now: number) => {
          times.push(now - last)
          last = now
          if (times.length < most) requestAnimationFrame(step)
          else done(times)
        }
        requestAnimationFrame(step)
      }),
    count,
  )
}

/** Turns the wheel over the list. @returns the time between its frames meanwhile */
export async function wheel(page: Page): Promise<number[]> {
  await page.getByRole('grid').hover()
  const frames = frameTimes(page, 180)
  for (let n = 0; n < 60; n++) {
    await page.mouse.wheel(0, 300)
    await wait(40)
  }
  return frames
}

/** Asks the host as the window does. @returns milliseconds of each answer, read whole */
export function askHost(page: Page, command: string, params: readonly object[]): Promise<number[]> {
  return page.evaluate(
    async ({ name, all }) => {
      const took: number[] = []
      for (const one of all) {
        const began = performance.now()
        const key = localStorage.getItem('acuse.session') ?? ''
        const headers = { 'Content-Type': 'application/json', 'X-Acuse': key }
        const answer = await fetch(`/api/${name}`, { method: 'POST', headers, body: JSON.stringify(one) })
        if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
        await answer.json()
        took.push(performance.now() - began)
      }
      return took
    },
    { name: command, all: params },
  )
}
