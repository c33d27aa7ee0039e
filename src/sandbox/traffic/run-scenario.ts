import { setImmediate as turn } from 'node:timers/promises'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { ScenarioStep } from '../world.ts'

/** As long as others may be kept waiting for the thread. */
const SLICE_MS = 10

/**
 * Takes the steps of a scenario one after the other and dispatches their events, no faster than the quickest receiver takes them.
 * @param run follows the events' deliveries through the log; @returns how many events there were
 */
export async function runScenario(
  steps: Iterable<ScenarioStep>,
  dispatcher: Dispatcher,
  run: string,
): Promise<number> {
  let made = 0
  let since = performance.now()
  for (const { events, outage } of steps) {
    for (const event of events) dispatcher.submit(event, { run, outage })
    made += events.length
    if (performance.now() - since < SLICE_MS) continue
    await turn()
    await dispatcher.room()
    since = performance.now()
  }
  return made
}
