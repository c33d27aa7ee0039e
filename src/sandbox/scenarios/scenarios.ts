import type { SandboxScenario } from '#contract/sandbox.ts'
import { bad, notFound } from '../domain/refusal.ts'
import type { Play, ScenarioStep, Stage } from './business.ts'
import { business } from './business.ts'

/** Creates an invoice, then performs these operations on it, one per step. */
function* through(stage: Stage, names: readonly string[]): Iterable<ScenarioStep> {
  let id = ''
  yield stage.step((act) => {
    id = act.perform('create-invoice', { type: 'E31' })
  })
  for (const name of names) {
    if (!stage.lives()) return
    yield stage.step((act) => {
      act.perform(name, { id })
    })
  }
}

const ACCEPTED = ['submit', 'poll', 'poll', 'approve']

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MONTH_DAYS = 29
const OPENS = 8 * HOUR
const OPEN_FOR = 10 * HOUR

const paceOf = (count: number) => ({
  count,
  delay: Math.min(40, Math.ceil(count / 8)),
  batch: Math.min(50, Math.max(1, Math.ceil(count / 500))),
})

const midnight = (stage: Stage, instant: number): number =>
  Math.floor((instant + stage.eastward) / DAY) * DAY - stage.eastward

/**
 * The month up to yesterday, in business hours. As far as milliseconds allow, each document has a distinct issue date, so that
 * a client can page through accounting-sync with any page size.
 */
const month: Play = (stage, count) => {
  const first = midnight(stage, stage.now) - MONTH_DAYS * DAY + OPENS
  const slot = Math.max(1, Math.floor((MONTH_DAYS * OPEN_FOR) / count))
  const issuedAt = (nth: number): number => {
    // An irregular but fixed offset within the slot: evenly spaced dates look artificial.
    const open = nth * slot + ((nth * 7919) % slot)
    return first + Math.floor(open / OPEN_FOR) * DAY + (open % OPEN_FOR)
  }
  return business(stage, { ...paceOf(count), issuedAt, outage: () => false })
}

/** The last ten hours, with the receiver unreachable for a quarter of the documents in the middle. */
const outageDay: Play = (stage, count) => {
  const slot = Math.max(1, Math.floor(OPEN_FOR / (count + 1)))
  const start = stage.now - slot * (count + 1)
  return business(stage, {
    ...paceOf(count),
    issuedAt: (nth) => start + nth * slot,
    outage: (nth) => nth >= Math.floor(count * 0.4) && nth < Math.max(1, Math.ceil(count * 0.65)),
  })
}

const BURST_STEP = 50

const burst: Play = function* (stage, count) {
  for (let made = 0; made < count && stage.lives(); made += BURST_STEP)
    yield stage.step((act) => {
      for (let one = made; one < Math.min(count, made + BURST_STEP); one++) act.perform('create-invoice', {})
    })
}

interface Scenario extends SandboxScenario {
  readonly defaultCount: number
  readonly play: Play
}

/** @param life operations on one invoice after its creation */
const short = (slug: string, title: string, summary: string, life: readonly string[]): Scenario => ({
  slug,
  title,
  summary,
  takesCount: false,
  defaultCount: 1,
  play: (stage) => through(stage, life),
})

const long = (slug: string, title: string, summary: string, play: Play, defaultCount: number): Scenario => ({
  slug,
  title,
  summary,
  takesCount: true,
  defaultCount,
  play,
})

const ALL: readonly Scenario[] = [
  short('accepted', 'Invoice accepted', 'An invoice is submitted, evaluated and accepted', ACCEPTED),
  short(
    'rejected-corrected',
    'Rejected and corrected',
    'An invoice is rejected, edited, submitted again and accepted',
    ['submit', 'poll', 'reject', 'edit-invoice', 'submit', 'poll', 'approve'],
  ),
  short('conditional', 'Accepted with observations', 'An invoice is accepted conditionally', [
    'submit',
    'poll',
    'accept-conditionally',
  ]),
  short('credit-note', 'Credit note', 'edit-amount on an accepted invoice issues a credit note', [
    ...ACCEPTED,
    'edit-amount',
  ]),
  short('void-before', 'Voided before acceptance', 'An invoice is voided before it was submitted', ['void']),
  short('void-after', 'Voided after acceptance', 'An accepted invoice is voided by a credit note', [
    ...ACCEPTED,
    'void',
  ]),
  long(
    'month',
    'Month of business',
    'Documents over the last four weeks, with all that happens to them',
    month,
    100,
  ),
  long(
    'outage-day',
    'Day with an outage',
    'A day of business; the receiver is away in the middle of it',
    outageDay,
    60,
  ),
  long('burst', 'Burst', 'Invoices as fast as they can be made', burst, 100),
]

export const SCENARIOS: readonly SandboxScenario[] = ALL.map(
  ({ play: _, defaultCount: __, ...scenario }) => scenario,
)

const MOST = 200_000

/** @throws Refusal for an unknown slug or a count out of range */
export function startScenario(
  slug: string,
  { count, seed }: { readonly count?: number; readonly seed?: number },
  stageFor: (seed: number | undefined) => Stage,
): Iterable<ScenarioStep> {
  const scenario = ALL.find((one) => one.slug === slug)
  if (!scenario) {
    const known = ALL.map((one) => one.slug).join(', ')
    throw notFound(`There is no scenario “${slug.slice(0, 60)}”; there are ${known}.`, 'unknown-scenario')
  }
  const { takesCount, defaultCount, play } = scenario
  if (count !== undefined && !takesCount) throw bad('bad-count', `The scenario ${slug} takes no count.`)
  if (count !== undefined && count > MOST)
    throw bad('bad-count', `The count is a whole number from 1 to ${MOST}.`)
  return play(stageFor(seed), count ?? defaultCount)
}
