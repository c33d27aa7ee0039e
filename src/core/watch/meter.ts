import type { Capture, NewDelivery } from '../ports.ts'

/** Upper bounds of the buckets, in seconds. The service ends an attempt after some seconds, so longer times need no detail. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const NO_ANSWER = 0
const MOST_STATUS = 999
/** Deliveries whose answers have places of their own; a power of two. */
const PLACES = 16_384

/** Counts what the receiver stores and answers, in constant time and memory per delivery. */
export class Meter {
  /** By status; NO_ANSWER: none. */
  readonly #answers = new Float64Array(MOST_STATUS + 1)
  readonly #buckets = new Float64Array(BUCKETS.length + 1)
  #seconds = 0
  #unstored = 0
  /** Each stored delivery whose answer has not gone out: its id, and the status. Id 0: a free place. */
  readonly #ids = new Float64Array(PLACES)
  readonly #statuses = new Uint16Array(PLACES)
  /** Those that wait so long that a later delivery needed their place. */
  readonly #late = new Map<number, number>()

  watching(capture: Capture): Capture {
    return {
      append: (delivery) => {
        const appended = capture.append(delivery)
        appended.then(
          ({ id }) => this.#stored(id, delivery),
          () => {
            this.#unstored += 1
          },
        )
        return appended
      },
      openBody: () => {
        const sink = capture.openBody()
        let failed = false
        return {
          ...sink,
          write: (piece) => {
            const written = sink.write(piece)
            written.catch(() => {
              if (!failed) this.#unstored += 1
              failed = true
            })
            return written
          },
        }
      },
      answered: (id, tookUs, instead) => {
        capture.answered(id, tookUs, instead)
        const planned = this.#takePlanned(id)
        this.#count(instead ? statusOf(instead) : planned)
        if (tookUs !== null) this.#took(tookUs / 1_000_000)
      },
    }
  }

  families(): readonly Family[] {
    const counts = [...this.#buckets]
    const bounds = [...BUCKETS.map(String), '+Inf']
    const upTo = bounds.map((le, i) => [le, counts.slice(0, i + 1).reduce((sum, n) => sum + n, 0)] as const)
    const total = upTo.at(-1)?.[1] ?? 0
    return [
      {
        name: 'acuse_deliveries_total',
        help: 'Deliveries stored since the start, by the status of their answer; none: the sender got no answer.',
        type: 'counter',
        samples: labelled('answer', this.#byAnswer()),
      },
      {
        name: 'acuse_deliveries_unstored_total',
        help: 'Deliveries that could not be stored since the start. They were answered 503 and are lost.',
        type: 'counter',
        samples: [{ value: this.#unstored }],
      },
      {
        name: 'acuse_answer_seconds',
        help: 'Time from the first byte of a request to its answer.',
        type: 'histogram',
        samples: [
          ...labelled('le', upTo).map((sample) => ({ ...sample, suffix: '_bucket' })),
          { suffix: '_sum', value: this.#seconds },
          { suffix: '_count', value: total },
        ],
      },
    ]
  }

  #byAnswer(): readonly (readonly [string, number])[] {
    const all = [...this.#answers].map(
      (n, status) => [status === NO_ANSWER ? 'none' : String(status), n] as const,
    )
    return all.filter(([, n]) => n > 0)
  }

  #stored(id: number, delivery: NewDelivery): void {
    const status = statusOf(delivery)
    // Without an answer to send, `answered` is never called.
    if (status === NO_ANSWER) {
      this.#count(NO_ANSWER)
      return
    }
    const place = id & (PLACES - 1)
    const before = this.#ids[place] ?? 0
    if (before !== 0) this.#late.set(before, this.#statuses[place] ?? NO_ANSWER)
    this.#ids[place] = id
    this.#statuses[place] = status
  }

  #takePlanned(id: number): number {
    const place = id & (PLACES - 1)
    if (this.#ids[place] === id) {
      this.#ids[place] = 0
      return this.#statuses[place] ?? NO_ANSWER
    }
    const status = this.#late.get(id) ?? NO_ANSWER
    this.#late.delete(id)
    return status
  }

  #count(status: number): void {
    const counted = Math.min(status, MOST_STATUS)
    this.#answers[counted] = (this.#answers[counted] ?? 0) + 1
  }

  #took(seconds: number): void {
    this.#seconds += seconds
    let bucket = 0
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket += 1
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1
  }
}

const statusOf = ({ answer }: Pick<NewDelivery, 'answer'>): number => answer?.status ?? NO_ANSWER

/** A metric with its samples. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

export interface Sample {
  /** `_bucket`, `_sum` or `_count` of a histogram. */
  readonly suffix?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** Media type of the text format that every version of Prometheus reads. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Writes metrics in the text format of Prometheus. A family without samples is left out. */
export const exposition = (families: readonly Family[]): string =>
  families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) =>
      [
        `# HELP ${name} ${escaped(help)}`,
        `# TYPE ${name} ${type}`,
        ...samples.map(
          ({ suffix = '', labels, value }) => `${name}${suffix}${labelsOf(labels)} ${numberOf(value)}`,
        ),
        '',
      ].join('\n'),
    )
    .join('')

function labelsOf(labels: Sample['labels'] = {}): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const numberOf = (value: number): string =>
  value === Number.POSITIVE_INFINITY ? '+Inf' : value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)

/** One sample per value of a label. */
export const labelled = (label: string, values: Iterable<readonly [string, number]>): readonly Sample[] =>
  [...values].map(([name, value]) => ({ labels: { [label]: name }, value }))
