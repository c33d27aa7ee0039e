import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Checker } from '#storage/checking/checker.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { invoiceBody } from '../bench/event.ts'
import { aUuid } from '../support/events.ts'
import { appendAtOnce, openTestStore, testWorkers } from '../support/store.ts'

const TOGETHER = 500
/** A scrub rests 19 times as long as it works. */
const PART = 20
/** Of /proc: 100 ticks a second. */
const TICK_MS = 10

/** Measures how long the comparison of all stored bytes takes, and how much of a core a scrub takes. @param ms how long to watch it */
export async function scrubRound(deliveries: number, ms: number) {
  await using opened = await openTestStore()
  const { store, folder } = opened
  for (let n = 0; n < deliveries; n += TOGETHER)
    await appendAtOnce(store, TOGETHER, (i) => ({ body: invoiceBody(aUuid(n + i)) }))
  await store.deliveries.settled(600_000)
  const began = performance.now()
  const { checked, altered } = await store.verify()
  const seconds = (performance.now() - began) / 1_000
  let made: ChildProcess | undefined
  const checker = new Checker(storeFiles(folder).captured, () => {
    made = testWorkers.checker()
    return made
  })
  checker.scrub(() => undefined)
  // Its start does not count: it is once a day.
  await wait(2_000)
  const before = worked(made?.pid)
  await wait(ms)
  const share = (worked(made?.pid) - before) / ms
  await checker.close()
  return {
    checked,
    altered: altered.length,
    seconds,
    hoursPerMillion: ((seconds / checked) * 1e6 * PART) / 3_600,
    share,
  }
}

/** Processor time of a process in milliseconds. */
function worked(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
