import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { analyse } from '#core/checks/analyse.ts'
import { words } from '../files.ts'
import { failureOf } from '../sql/failure.ts'
import { serveCalls } from '../wire/link.ts'
import { Analyst } from './analyst.ts'
import type { AnalystCalls, AnalystMessage, WakeMessage } from './protocol.ts'

/** Arrivals per second from which analysis steps back, to leave the processor to intake. */
const BUSY = 250
/** How long it then rests for each unit of work: a quarter of one core still judges some thousands a second. */
const REST = 3
/** Deliveries per transaction while few arrive: a larger one costs each of them less, and its sync holds up nobody. */
const ROWS_IN_PEACE = 1_500
/** On Linux the niceness of a thread is its own, so that of two that want the same core, intake gets nearly all of it. */
const NICENESS = 19
/**
 * A lone delivery is judged at once; of a stream, what came in so many milliseconds is judged together, which is as often as windows
 * are told. Each transaction writes the pages that it touched, and they are nearly the same for one delivery as for ten.
 */
const APART_MS = 50
/** A pause, in which the log may go into the database. */
const PAUSE_MS = 300
const RETRY_MS = 1_000
/** How soon a derived.db that another program removed is missed. */
const LOOK_MS = 1_000

/** Of one body, names of members included; each takes twelve bytes. 32 MiB as the service writes them hold fewer. */
const MOST_VALUES = 2_097_152

const port = parentPort
if (!port) throw new Error('started without a parent')

let analyst: Analyst | undefined
let highest = 0
let running = false
let begun = Number.NEGATIVE_INFINITY
let pause: NodeJS.Timeout | undefined
/** The one whose files are known to be gone. */
let told: Analyst | undefined
let rate = { at: performance.now(), highest: 0, perSecond: 0 }

if (process.platform === 'linux') setPriority(NICENESS)

const say = (message: AnalystMessage) => port.postMessage(message)

function schedule(delay: number): void {
  if (running) return
  running = true
  if (delay === 0) setImmediate(work)
  else setTimeout(work, delay)
}

function work(): void {
  running = false
  if (!analyst) return
  begun = performance.now()
  const told = highest
  try {
    const ids = analyst.stepRestored()
    if (ids) say({ event: 'rejudged', ids, pending: analyst.pending })
    const busy = arrivalRate() > BUSY
    // A delivery beyond these may have arrived after a change of the masked names, which come with the next wake.
    const batch = analyst.step(busy ? undefined : ROWS_IN_PEACE, told)
    if (!batch && analyst.pending > 0) {
      schedule(0)
      return
    }
    if (!batch) {
      say({ event: 'caught-up', upto: told })
      if (pause) pause.refresh()
      else pause = setTimeout(whenPaused, PAUSE_MS).unref()
      return
    }
    say({ event: 'judged', ...batch })
    const took = performance.now() - begun
    schedule(busy ? Math.ceil(took * REST) : 0)
  } catch (error) {
    failed(error)
  }
}

function whenPaused(): void {
  try {
    analyst?.idle()
  } catch (error) {
    failed(error)
  }
}

function failed(error: unknown): void {
  if (failureOf(error) === 'damage') say({ event: 'derived-lost', reason: words(error) })
  // Anything else may pass (a full disk, a lock); deliveries wait in captured.db meanwhile.
  else schedule(RETRY_MS)
}

function arrivalRate(): number {
  const now = performance.now()
  const elapsed = now - rate.at
  if (elapsed >= 200) rate = { at: now, highest, perSecond: ((highest - rate.highest) * 1_000) / elapsed }
  return rate.perSecond
}

function lookForFiles(): void {
  const reason = analyst?.moved
  if (!reason || told === analyst) return
  told = analyst
  say({ event: 'derived-lost', reason })
}
setInterval(lookForFiles, LOOK_MS).unref()

const calls: AnalystCalls = {
  open(paths, maskedNames) {
    analyst?.close()
    analyst = undefined
    analyst = new Analyst(paths, (judged, see) => analyse(judged, see, MOST_VALUES))
    analyst.hide(maskedNames)
    highest = Math.max(highest, analyst.upto)
    rate = { at: performance.now(), highest, perSecond: 0 }
    say({ event: 'rejudged', ids: [], pending: analyst.pending })
    schedule(0)
    return analyst.upto
  },
  forget: (ids, deletion) => analyst?.forget(ids, deletion),
  revisit(from) {
    analyst?.revisit(from)
    schedule(0)
  },
  relearn(kinds) {
    if (!analyst) throw new Error('The database is not open for analysis.')
    return analyst.relearn(kinds)
  },
  restore(ids, restoration) {
    analyst?.restore(ids, restoration)
    // Also when none waits: whoever counts them has to hear of it.
    say({ event: 'rejudged', ids: [], pending: analyst?.pending ?? 0 })
    schedule(0)
  },
  release() {
    analyst?.close()
    analyst = undefined
  },
}

port.on('message', (message: WakeMessage | object) => {
  if (!('wake' in message)) return
  analyst?.hide(message.maskedNames)
  highest = Math.max(highest, message.wake)
  schedule(Math.max(0, begun + APART_MS - performance.now()))
})
serveCalls(port, calls)
