import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/**
 * Runs every rule of axe on what the page shows once it has come to rest.
 * @param within only this part, a selector
 * @returns rules broken, each with the first element that breaks it
 */
export async function broken(page: Page, within?: string): Promise<string[]> {
  await settled(page)
  // Without legacy mode axe describes every element that passes, too, and judges in a second page: five times the time for frames of
  // other origins, of which we have none.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze()
  return violations.map((v) => `${v.id}: ${v.nodes.length} × ${v.nodes[0]?.html.slice(0, 200)}`)
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
