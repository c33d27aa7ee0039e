import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Page, test } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { SELECTION } from './depth.ts'

/** Half of what a page has to read of the whole text. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** What can be right in one theme and wrong in the other: all else is the same page. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']
/** Rows of a list are drawn alike, and to look through each of them for its colours is most of what axe does. */
const FURTHER_ROWS = '[role="row"]:nth-child(n+10)'
/** Axe describes what passes, too, unless told not to. */
const BROKEN_ONLY: RunOptions = { resultTypes: ['violations'], reporter: 'no-passes' }
const FORM: RunOptions = {
  ...BROKEN_ONLY,
  rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])),
}
const COLOURS: RunOptions = { ...BROKEN_ONLY, runOnly: COLOUR_RULES }

/**
 * Runs every rule of axe on what the page shows once it has come to rest, and those about colours in the other theme as well; the short
 * selection leaves the other theme to the whole run.
 * @param within only this part, a selector
 * @returns rules broken, each with the first element that breaks it
 */
export async function broken(page: Page, within = 'html'): Promise<string[]> {
  // Axe takes seconds of a busy machine.
  test.setTimeout(180_000)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE)
  await settled(page)
  const near = { include: within, exclude: FURTHER_ROWS }
  if (SELECTION) return judged(page, near, BROKEN_ONLY)
  const form = await judged(page, { include: within }, FORM)
  const colours = await judged(page, near, COLOURS)
  const theme = await otherTheme(page)
  await settled(page)
  const other = await judged(page, near, COLOURS)
  await otherTheme(page)
  return [...form, ...colours, ...other.map((rule) => `${theme}: ${rule}`)]
}

function judged(
  page: Page,
  part: { include: string; exclude?: string },
  options: RunOptions,
): Promise<string[]> {
  return page.evaluate(
    async ([where, asked]) => {
      const { axe: judge } = window as unknown as { readonly axe: typeof axe }
      const { violations } = await judge.run(where, asked)
      return violations.map((v) => `${v.id}: ${v.nodes.length} × ${v.nodes[0]?.html.slice(0, 200)}`)
    },
    [part, options] as const,
  )
}

/** Shows the page in the other theme, as the window itself does. @returns that theme */
function otherTheme(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { dataset } = document.documentElement
    dataset.theme = dataset.theme === 'dark' ? 'light' : 'dark'
    return dataset.theme
  })
}

/** Waits until nothing fades in or out any more and the page has not changed for a moment; at most two seconds, as some pages never rest. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const QUIET_MS = 80
    const giveUpAt = performance.now() + 2_000
    let changedAt = performance.now()
    const observer = new MutationObserver(() => {
      changedAt = performance.now()
    })
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    const fading = () =>
      document
        .getAnimations()
        .some(
          ({ effect, playState }) =>
            playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
        )
    do await new Promise((resolve) => setTimeout(resolve, 20))
    while ((fading() || performance.now() - changedAt < QUIET_MS) && performance.now() < giveUpAt)
    observer.disconnect()
  })
}
