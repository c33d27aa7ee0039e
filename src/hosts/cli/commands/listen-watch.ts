import type { DeliveryDetail, DeliveryRow, Verdict } from '#contract/delivery.ts'
import type { AttemptRow, ForwardLane } from '#contract/replay.ts'
import { AttemptFollower, attemptRecord, shadeOf, took } from '../shared/attempts.ts'
import type { Reached } from '../shared/reach.ts'
import { clock, eventRecord, findingLine, findingRecord, shownBody } from '../shared/records.ts'
import { polls, type Terminal } from '../shared/terminal.ts'
import { type Paint, painter, VERDICT_SHADES, visible, visibleLines } from '../shared/text.ts'

interface ListenScreen {
  /** Whether an event waits for the target's answer, so that one line shows both. */
  readonly together: boolean
  event(row: DeliveryRow, fate: Fate): Promise<void>
  /** Prints an attempt whose event has been printed before. */
  attempt(attempt: AttemptRow): Promise<void>
}

/** Screen of text: one line per event, with findings below a bad one. @param bodies whether to print bodies */
export function peopleScreen(
  terminal: Terminal,
  { call }: Pick<Reached, 'call'>,
  bodies: boolean,
): ListenScreen {
  const paint = painter(terminal.coloured)
  async function body(id: number): Promise<string> {
    const { text, more } = await shownBody(call, id)
    return bodyLines(text) + (more > 0 ? `    … ${more} more bytes: acuse show ${id} --json\n` : '')
  }
  return {
    together: true,
    async event(row, fate) {
      const findings = TELLING.has(row.verdict)
        ? findingLines(await call('deliveries.get', { id: row.id }))
        : ''
      await terminal.print(eventLine(row, fate, paint) + findings + (bodies ? await body(row.id) : ''))
    },
    attempt: (attempt) => terminal.print(lateLine(attempt, paint)),
  }
}

export function jsonScreen(
  terminal: Terminal,
  { call }: Pick<Reached, 'call'>,
  bodies: boolean,
): ListenScreen {
  return {
    together: false,
    async event(row) {
      const findings =
        row.findings === 0
          ? []
          : (await call('deliveries.get', { id: row.id })).findingList.map(findingRecord)
      const body = bodies ? { body: (await shownBody(call, row.id)).text } : {}
      await terminal.print(`${JSON.stringify({ type: 'event', ...eventRecord(row), findings, ...body })}\n`)
    },
    attempt: (attempt) =>
      terminal.print(`${JSON.stringify({ type: 'attempt', ...attemptRecord(attempt) })}\n`),
  }
}

/** Verdicts whose findings are printed with the event. */
const TELLING: ReadonlySet<Verdict | null> = new Set(['warning', 'invalid', 'unreadable'])
/** More findings would push other events off the screen; `acuse show` prints all. */
const FINDINGS_SHOWN = 10

/** Formats the part of an event's line about the forward's target. */
type Fate = (paint: Paint) => string

const waits: Fate = (paint) => paint('faint', '→ waiting')
const dropped: Fate = (paint) => paint('odd', '→ dropped')
const answered =
  (attempt: AttemptRow): Fate =>
  (paint) => {
    const outcome = attempt.status === null ? (attempt.error?.code ?? attempt.state) : String(attempt.status)
    return `→ ${paint(shadeOf(attempt), outcome)}  ${took(attempt.tookUs)}`.trimEnd()
  }

function eventLine(row: DeliveryRow, fate: Fate, paint: Paint): string {
  const facts = [
    clock(row.receivedAt),
    `#${row.id}`.padEnd(7),
    cut(row.event ?? `${row.method} ${row.url}`, 26),
    cut(row.document?.number ?? row.number ?? row.documentId ?? '–', 20),
    paint(row.verdict && VERDICT_SHADES[row.verdict], (row.verdict ?? '–').padEnd(10)),
    fate(paint),
  ]
  return `${facts.join('  ').trimEnd()}\n`
}

/** Line for an answer that arrived after the event's line was printed. */
function lateLine(attempt: AttemptRow, paint: Paint): string {
  const again = attempt.again ? '  (may have arrived before)' : ''
  return `${clock(attempt.startedAt)}  ${`#${attempt.deliveryId}`.padEnd(7)}  ${answered(attempt)(paint)}${again}\n`
}

function findingLines(detail: DeliveryDetail): string {
  // Notes do not call for the user's attention while events arrive.
  const shown = detail.findingList.filter(({ level }) => level !== 'note').slice(0, FINDINGS_SHOWN)
  const more = detail.findings - shown.length
  return [
    ...shown.map((finding) => `    ${findingLine(findingRecord(finding))}\n`),
    ...(more > 0 ? [`    … and ${more} more: acuse show ${detail.id}\n`] : []),
  ].join('')
}

function bodyLines(body: string): string {
  const lines = visibleLines(body).replace(/\n$/, '').split('\n')
  return lines.map((line) => `    ${line}\n`).join('')
}

/** @returns why a delivery is never forwarded, whatever the filter; null when the filter decides */
function neverForwarded({ rejected, malformed, marks }: DeliveryRow): string | null {
  if (rejected) return 'rejected'
  if (malformed !== null) return malformed
  return marks.includes('replay') ? 'replay' : null
}

function cut(text: string, width: number): string {
  const shown = visible(text)
  return (shown.length > width ? `${shown.slice(0, width - 1)}…` : shown).padEnd(width)
}

/** Poll interval. A subscription would make the engine read every row again, and could miss rows in a burst. */
const POLL_MS = 100
/** Longest wait of an event for the target's answer; then its line is printed without one. */
const TOGETHER_MS = 1_000
/** Number of events that may wait for answers; the bound keeps a burst from filling memory. */
const MOST_WAITING = 2_000
const PAGE = 500
const LANES_MS = 1_000
const JUDGED = 'verdict:>=valid,test'

interface WatchPlan {
  readonly filter: string
  /** Name of the forward whose attempts are shown; null without a forward. */
  readonly forward: string | null
  readonly whenDown: 'queue' | 'drop'
  readonly after: number
}

interface Waiting {
  readonly row: DeliveryRow
  /** End of the wait, in milliseconds of `performance.now()`. */
  readonly until: number
}

/** Prints analysed deliveries and the answers of a forward's target. Its memory does not grow with their number. */
export class ListenWatch {
  readonly #call: Reached['call']
  readonly #plan: WatchPlan
  readonly #screen: ListenScreen
  readonly #say: (sentence: string) => void
  readonly #attempts: AttemptFollower | null
  readonly #waiting = new Map<number, Waiting>()
  /** Attempts that ended before their delivery was read, by delivery id. */
  readonly #early = new Map<number, AttemptRow>()
  #after: number
  #lane: ForwardLane | undefined
  #lanesAt = 0

  constructor(call: Reached['call'], plan: WatchPlan, screen: ListenScreen, say: (sentence: string) => void) {
    this.#call = call
    this.#plan = plan
    this.#screen = screen
    this.#say = say
    this.#after = plan.after
    this.#attempts = plan.forward === null ? null : new AttemptFollower(call, { forward: plan.forward })
  }

  /** Prints deliveries until `stop` resolves, those that arrived before that included. */
  async run(stop: Promise<void>): Promise<void> {
    for await (const stopping of polls(stop, POLL_MS, POLL_MS)) {
      await this.#poll()
      if (stopping) break
    }
    for (const [id] of this.#waiting) await this.#showWaiting(id)
  }

  async #poll(): Promise<void> {
    await this.#readEvents()
    await this.#readAttempts()
    await this.#readLane()
    const now = performance.now()
    for (const [id, { until }] of this.#waiting)
      if (until <= now || this.#waiting.size > MOST_WAITING) await this.#showWaiting(id)
  }

  async #readEvents(): Promise<void> {
    const { filter } = this.#plan
    // A filter needs the results of analysis. Analysis goes in order, so all deliveries up to the newest analysed one have them.
    const [newest] = (
      await this.#call('deliveries.scan', { filter: JUDGED, after: null, limit: 1, newest: true })
    ).rows
    const upto = newest?.id ?? 0
    // A new database has replaced the old one, and its ids start again from 1.
    if (upto < this.#after && (await newestDelivery(this.#call)) < this.#after) this.#after = 0
    while (this.#after < upto) {
      const { rows } = await this.#call('deliveries.scan', { filter, after: this.#after, limit: PAGE })
      for (const row of rows) if (row.id <= upto) await this.#take(row)
      this.#after = rows.length < PAGE ? upto : Math.min(upto, rows.at(-1)?.id ?? upto)
      if (rows.length === PAGE) await this.#readAttempts()
    }
    // These attempts' deliveries do not match the filter, so no line will show them.
    for (const id of this.#early.keys()) if (id <= this.#after) this.#early.delete(id)
  }

  async #take(row: DeliveryRow): Promise<void> {
    const why = neverForwarded(row)
    // Without a forward the line shows the answer that the sender got.
    const printed: Fate = (paint) => paint('faint', `answered ${row.answer ?? 'nothing'}`)
    if (this.#attempts === null) await this.#screen.event(row, printed)
    else if (why !== null) await this.#screen.event(row, (paint) => paint('faint', `not forwarded (${why})`))
    else if (!this.#screen.together) await this.#screen.event(row, waits)
    else {
      const early = this.#early.get(row.id)
      if (early === undefined) this.#waiting.set(row.id, { row, until: performance.now() + TOGETHER_MS })
      else await this.#screen.event(row, answered(early))
      this.#early.delete(row.id)
    }
  }

  async #readAttempts(): Promise<void> {
    for (let more = this.#attempts !== null; more; ) {
      const page = await this.#attempts?.ended()
      for (const attempt of page?.attempts ?? []) await this.#answered(attempt)
      more = page?.more ?? false
    }
  }

  async #answered(attempt: AttemptRow): Promise<void> {
    const id = attempt.deliveryId
    const waiting = this.#waiting.get(id)
    if (waiting) {
      this.#waiting.delete(id)
      await this.#screen.event(waiting.row, answered(attempt))
    } else if (this.#screen.together && id > this.#after) this.#early.set(id, attempt)
    else await this.#screen.attempt(attempt)
  }

  async #showWaiting(id: number): Promise<void> {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    const gone = this.#plan.whenDown === 'drop' && this.#lane?.state === 'down'
    if (waiting) await this.#screen.event(waiting.row, gone ? dropped : waits)
  }

  /** Reports when the target becomes unreachable and reachable: the lines of waiting events do not show it. */
  async #readLane(): Promise<void> {
    if (this.#plan.forward === null || performance.now() < this.#lanesAt) return
    this.#lanesAt = performance.now() + LANES_MS
    const lane = await laneOf(this.#call, this.#plan.forward)
    const before = this.#lane
    this.#lane = lane
    if (!lane || before?.state === lane.state) return
    const what =
      this.#plan.whenDown === 'queue' ? 'Deliveries are queued for it, in order.' : 'Deliveries are dropped.'
    if (lane.state === 'down')
      this.#say(
        `${lane.target} cannot be reached${lane.lastError ? `: ${lane.lastError.message}` : '.'} ${what}`,
      )
    else if (lane.state === 'refused')
      this.#say(lane.lastError?.message ?? `Nothing is sent to ${lane.target}: it is not allowed.`)
    else if (lane.state === 'stalled') this.#say(`Forwarding waits: ${lane.stall?.message}`)
    else if (before?.state === 'stalled') this.#say('Forwarding goes on.')
    else if (before?.state === 'down') this.#say(`${lane.target} can be reached again.`)
  }
}

/** @returns the queue of a forward with one target; undefined when the forward no longer exists */
export async function laneOf(call: Reached['call'], forward: string): Promise<ForwardLane | undefined> {
  const { forwards } = await call('forwards.list', {})
  return forwards.find(({ name }) => name === forward)?.lanes[0]
}

export async function newestDelivery(call: Reached['call']): Promise<number> {
  const { rows } = await call('deliveries.scan', { filter: '', after: null, limit: 1, newest: true })
  return rows[0]?.id ?? 0
}
