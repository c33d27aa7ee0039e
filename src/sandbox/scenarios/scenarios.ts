import { SandboxError, type ScenarioSpec, type ScenarioStep } from '../world.ts'
import { burst, month, outageDay } from './long.ts'
import { accepted, conditional, creditNote, rejectedCorrected, voidAfter, voidBefore } from './short.ts'
import type { Play, Stage } from './stage.ts'

interface Scenario extends ScenarioSpec {
  readonly defaultCount: number
  readonly play: Play
}

const short = (slug: string, title: string, summary: string, play: Play): Scenario => {
  return { slug, title, summary, takesCount: false, defaultCount: 1, play }
}
const long = (slug: string, title: string, summary: string, defaultCount: number, play: Play): Scenario => {
  return { slug, title, summary, takesCount: true, defaultCount, play }
}

const ALL: readonly Scenario[] = [
  short('accepted', 'Invoice accepted', 'An invoice is submitted, evaluated and accepted', accepted),
  short(
    'rejected-corrected',
    'Rejected and corrected',
    'An invoice is rejected, edited, submitted again and accepted',
    rejectedCorrected,
  ),
  short('conditional', 'Accepted with observations', 'An invoice is accepted conditionally', conditional),
  short('credit-note', 'Credit note', 'edit-amount on an accepted invoice issues a credit note', creditNote),
  short(
    'void-before',
    'Voided before acceptance',
    'An invoice is voided before it was submitted',
    voidBefore,
  ),
  short('void-after', 'Voided after acceptance', 'An accepted invoice is voided by a credit note', voidAfter),
  long(
    'month',
    'Month of business',
    'Documents over the last four weeks, with all that happens to them',
    100,
    month,
  ),
  long(
    'outage-day',
    'Day with an outage',
    'A day of business; the receiver is away in the middle of it',
    60,
    outageDay,
  ),
  long('burst', 'Burst', 'Invoices as fast as they can be made', 100, burst),
]

export const SCENARIOS: readonly ScenarioSpec[] = ALL.map(({ slug, title, summary, takesCount }) => {
  return { slug, title, summary, takesCount }
})

const MOST = 200_000

function checkedCount({ slug, takesCount, defaultCount }: Scenario, count: number | undefined): number {
  if (count === undefined) return defaultCount
  if (!takesCount) throw new SandboxError(400, 'bad-count', `The scenario ${slug} takes no count.`)
  if (!Number.isSafeInteger(count) || count < 1 || count > MOST)
    throw new SandboxError(400, 'bad-count', `The count is a whole number from 1 to ${MOST}.`)
  return count
}

/**
 * @param stageFor where it acts, with data drawn from that seed, or from the world's when undefined
 * @throws SandboxError for an unknown slug, a count or seed that does not fit
 */
export function startScenario(
  slug: string,
  { count, seed }: { readonly count?: number; readonly seed?: number },
  stageFor: (seed: number | undefined) => Stage,
): Iterable<ScenarioStep> {
  const scenario = ALL.find((one) => one.slug === slug)
  if (!scenario) {
    const known = ALL.map((one) => one.slug).join(', ')
    throw new SandboxError(
      404,
      'unknown-scenario',
      `There is no scenario “${String(slug).slice(0, 60)}”; there are ${known}.`,
    )
  }
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw new SandboxError(400, 'bad-seed', 'The seed is a whole number.')
  return scenario.play(stageFor(seed), checkedCount(scenario, count))
}
