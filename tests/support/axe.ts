import type { Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'

/** What can be right in one theme and wrong in the other: all else is the same page. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']
/** Axe describes what passes, too, unless it is told that nobody asks. */
const BROKEN_ONLY: RunOptions = { resultTypes: ['violations'], reporter: 'no-passes' }

/**
 * Runs every rule of axe on what the page shows once it has come to rest, and those about colours in the other theme as well.
 * @param within only this part, a selector
 * @returns rules broken, each with the first element that breaks it
 */
export async function broken(page: Page, within?: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const shown = await judged(page, within, BROKEN_ONLY)
  const theme = await otherTheme(page)
  const other = await judged(page, within, { ...BROKEN_ONLY, runOnly: COLOUR_RULES })
  await otherTheme(page)
  return [...shown, ...other.map((rule) => `${theme}: ${rule}`)]
}

async function judged(page: Page, within: string | undefined, options: RunOptions): Promise<string[]> {
  await settled(page)
  return page.evaluate(
    async ([selector, asked]) => {
      const { axe: judge } = window as unknown as { readonly axe: typeof axe }
      const { violations } = await judge.run(selector ?? document, asked)
      return violations.map((v) => `${v.id}: ${v.nodes.length} × ${v.nodes[0]?.html.slice(0, 200)}`)
    },
    [within, options] as const,
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
