import { broken } from '../../support/axe.ts'
import { log, openPart } from './sandbox.ts'
import { expect, test } from './test.ts'
import { press } from './window.ts'

/** As they stand in the navigation. */
const PARTS = ['emit', 'scenarios', 'operations', 'traffic', 'log', 'subscriptions', 'laboratory', 'keys']

/** Every state costs seconds of a busy machine: a low window has fewer rows to go through, and all of their sorts. */
test.use({ viewport: { width: 1180, height: 620 } })

test('axe finds nothing in the parts of the sandbox, in Spanish', async ({ page }) => {
  await openPart(page, 'emit', { language: 'es', events: 40 })
  const buttons = page.getByRole('navigation', { name: /^Part/ }).getByRole('button')
  for (const [at, part] of PARTS.entries()) {
    await buttons.nth(at).click()
    await expect(page).toHaveURL(new RegExp(`/${part}$`))
    if (part === 'log') {
      await log(page).focus()
      await press(page, 'Home', 'Enter')
    }
    expect([part, await broken(page)]).toEqual([part, []])
  }
})
