import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Page, test } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { SELECTION } from './depth.ts'

/** The minified axe: half the size of the other build. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Rules whose result depends on the theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']
/** Excluded from colour rules: rows of a list look alike, and checking each would be most of axe's work. */
const FURTHER_ROWS = '[role="row"]:nth-child(n+10)'
/** Without this, axe also describes the rules that pass. */
const BROKEN_ONLY: RunOptions = { resultTypes: ['violations'], reporter: 'no-passes' }
const FORM: RunOptions = {
  ...BROKEN_ONLY,
  rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])),
}
const COLOURS: RunOptions = { ...BROKEN_ONLY, runOnly: COLOUR_RULES }

/**
 * Waits until the page is at rest and runs every rule of axe on it; then the colour rules again in the other theme. The short
 * selection skips the other theme.
 * @param within selector of the part to check
 * @returns the broken rules, each with the first element that breaks it
 */
export async function broken(page: Page, within = 'html'): Promise<string[]> {
  // Axe takes seconds on a busy machine.
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

/** Switches the theme as the window does. @returns the new theme */
function otherTheme(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { dataset } = document.documentElement
    dataset.theme = dataset.theme === 'dark' ? 'light' : 'dark'
    return dataset.theme
  })
}

/** Waits until no animation runs and the page has not changed for 80 ms; at most two seconds, since some pages never rest. */
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
