/** A cost that has a part for each batch and a part for each delivery in it. */
export interface Cost {
  readonly batch: number
  readonly each: number
}

/** What one machine needs for a delivery. Times in milliseconds. */
export interface Constants {
  /** Processor time of a delivery in the sender of the load, and in a receiver. */
  readonly sender: number
  readonly receiver: number
  /** Processor time of a batch in the primary, in the standby, and in the primary while a spill drains. */
  readonly primary: Cost
  readonly standby: Cost
  readonly drain: Cost
  /** Wait of a commit for both disks and the standby, without processor time of the primary. */
  readonly commit: Cost
  /** Waits of real commits, in shares of their median. */
  readonly spread: readonly number[]
  /** Wait of a delivery for the disk of its receiver. */
  readonly spill: number
}

export interface Plan {
  /** Deliveries a second, at random times; or senders, each of which sends again after its answer. */
  readonly load: { readonly rate: number } | { readonly senders: number }
  readonly seconds: number
  readonly receivers: number
  /** Cores of the primary. `shared`: they also run the senders, the receivers and the standby. */
  readonly cores: number
  readonly shared?: boolean
  /** The database takes nothing from then on, for so long. */
  readonly outage?: { readonly from: number; readonly ms: number }
}

/** As in src/log/shared/shared-log.ts. */
export const MOST_RECORDS = 256
const [LANES, PATIENCE_MS, RETRY_MS] = [2, 2_000, 500]

/** Servers with one queue. Work is offered in order of time, so its end is known at once. */
class Station {
  readonly #free: number[]
  busy = 0

  constructor(servers: number) {
    this.#free = Array.from({ length: servers }, () => 0)
  }

  /** @returns when the work ends that arrives now */
  serve(now: number, work: number): number {
    const first = this.#free.indexOf(Math.min(...this.#free))
    this.busy += work
    const end = Math.max(now, this.#free[first] ?? 0) + work
    this.#free[first] = end
    return end
  }
}

/** Future events in order of time: a binary heap. */
class Agenda {
  readonly #heap: { readonly at: number; readonly run: (now: number) => void }[] = []

  add(at: number, run: (now: number) => void): void {
    const heap = this.#heap
    let place = heap.push({ at, run }) - 1
    for (let up = (place - 1) >> 1; place > 0 && at < (heap[up]?.at ?? at); up = (place - 1) >> 1) {
      this.#swap(place, up)
      place = up
    }
  }

  runAll(): void {
    for (let next = this.#take(); next; next = this.#take()) next.run(next.at)
  }

  #take() {
    const heap = this.#heap
    this.#swap(0, heap.length - 1)
    const first = heap.pop()
    const at = (place: number) => heap[place]?.at ?? Number.POSITIVE_INFINITY
    for (let place = 0; ; ) {
      const [left, right] = [2 * place + 1, 2 * place + 2]
      const least = at(right) < at(left) ? right : left
      if (at(least) >= at(place)) return first
      this.#swap(place, least)
      place = least
    }
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#heap[one], this.#heap[other]]
    if (a && b) [this.#heap[one], this.#heap[other]] = [b, a]
  }
}

/** @returns the cost of a batch */
export const of = ({ batch, each }: Cost, count: number): number => batch + each * count

/** Simulates receivers and one database, delivery by delivery, until each delivery is stored. */
export function simulate(costs: Constants, plan: Plan, random: () => number) {
  const agenda = new Agenda()
  const end = plan.seconds * 1_000
  const database = new Station(plan.cores)
  const down = (now: number) =>
    plan.outage !== undefined && now >= plan.outage.from && now < plan.outage.from + plan.outage.ms
  const waited = (count: number) =>
    of(costs.commit, count) * (costs.spread[Math.floor(random() * costs.spread.length)] ?? 1)
  const latencies: number[] = []
  let [arrived, stored, spilled, drained, batches, most, drainedAt] = [0, 0, 0, 0, 0, 0, 0]
  const receivers = Array.from({ length: plan.receivers }, () => ({
    processor: plan.shared ? database : new Station(1),
    queue: [] as number[],
    idle: LANES,
    /** Deliveries in the processor. */
    working: 0,
    /** Senders that were answered last or waited meanwhile: the queue gathers as many, as src/storage/facade/intake-queue.ts does. */
    expected: 0,
    away: false,
    spill: 0,
  }))
  type Receiver = (typeof receivers)[number]

  const answered = (receiver: Receiver, arrivals: readonly number[], now: number) => {
    for (const at of arrivals) {
      latencies.push(now - at)
      if ('senders' in plan.load) arrive(receiver, now)
    }
  }
  const toSpill = (receiver: Receiver, arrivals: readonly number[], now: number) => {
    if (arrivals.length === 0) return
    receiver.spill += arrivals.length
    spilled += arrivals.length
    most = Math.max(most, spilled - drained)
    agenda.add(now + costs.spill, (then) => answered(receiver, arrivals, then))
  }
  const send = (receiver: Receiver, now: number) => {
    while (receiver.idle > 0 && receiver.queue.length > 0) {
      if (receiver.working > 0 && receiver.queue.length < receiver.expected) return
      const batch = receiver.queue.splice(0, MOST_RECORDS)
      receiver.idle--
      const done = database.serve(now, of(costs.primary, batch.length)) + waited(batch.length)
      if (plan.shared) agenda.add(done, (then) => database.serve(then, of(costs.standby, batch.length)))
      const lost = down(now) || down(done)
      agenda.add(lost ? now + PATIENCE_MS : done, (then) => {
        receiver.idle++
        receiver.expected = batch.length + receiver.queue.length
        if (lost) {
          toSpill(receiver, [...batch, ...receiver.queue.splice(0)], then)
          if (!receiver.away) agenda.add(then + RETRY_MS, (at) => recover(receiver, at))
          receiver.away = true
        } else {
          batches++
          stored += batch.length
          answered(receiver, batch, then)
        }
        send(receiver, then)
      })
    }
  }
  const recover = (receiver: Receiver, now: number) => {
    if (down(now)) return agenda.add(now + RETRY_MS, (then) => recover(receiver, then))
    const count = Math.min(receiver.spill, MOST_RECORDS)
    const done = database.serve(now, of(costs.drain, count)) + waited(count)
    agenda.add(done, (then) => {
      receiver.away = false
      receiver.spill -= count
      drained += count
      drainedAt = then
      if (receiver.spill > 0) recover(receiver, then)
    })
  }
  const arrive = (receiver: Receiver, now: number) => {
    if (now >= end) return
    arrived++
    const ready = receiver.processor.serve(now, costs.receiver + (plan.shared ? costs.sender : 0))
    receiver.working++
    agenda.add(ready, (then) => {
      receiver.working--
      if (receiver.away) return toSpill(receiver, [now], then)
      receiver.queue.push(now)
      send(receiver, then)
    })
  }

  for (const [index, receiver] of receivers.entries())
    if ('senders' in plan.load)
      for (let n = index; n < plan.load.senders; n += plan.receivers)
        agenda.add(0, (now) => arrive(receiver, now))
    else {
      const gap = (1_000 * plan.receivers) / plan.load.rate
      const next = (now: number) => {
        arrive(receiver, now)
        const at = now - gap * Math.log(1 - random())
        if (at < end) agenda.add(at, next)
      }
      agenda.add(-gap * Math.log(1 - random()), next)
    }
  agenda.runAll()
  return {
    ...{ arrived, stored, spilled, drained, most, latencies, perSecond: arrived / plan.seconds },
    batch: stored / batches,
    drainMs: plan.outage ? Math.max(0, drainedAt - plan.outage.from - plan.outage.ms) : 0,
    /** Share of the time in which the cores of the database, and the processors of the receivers, worked. */
    database: database.busy / (plan.cores * end),
    receivers: receivers.reduce((sum, { processor }) => sum + processor.busy, 0) / (plan.receivers * end),
  }
}

/** The line through points, by least squares, each weighted by 1/x², so that small batches count as much. */
export function line(points: readonly (readonly [x: number, y: number])[]): Cost {
  const sum = (of: (x: number, y: number) => number) =>
    points.reduce((all, [x, y]) => all + of(x, y) / x ** 2, 0)
  const [n, x, y, xx, xy] = [
    sum(() => 1),
    sum((x) => x),
    sum((_, y) => y),
    sum((x) => x * x),
    sum((x, y) => x * y),
  ]
  const each = Math.max(0, (n * xy - x * y) / (n * xx - x * x))
  return { batch: Math.max(0, (y - each * x) / n), each }
}
