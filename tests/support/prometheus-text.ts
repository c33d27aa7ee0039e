/** A metric as a scraper reads it. Samples by their name with labels, as written. */
export interface Metric {
  readonly type: string
  readonly samples: ReadonlyMap<string, number>
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const HELP = new RegExp(`^# HELP (${NAME}) (.+)$`)
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`)
const SAMPLE = new RegExp(
  `^(${NAME})(\\{${LABEL}(?:,${LABEL})*\\})? ([+-]?(?:\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|Inf)|NaN)$`,
)
const SUFFIXES = ['_bucket', '_sum', '_count']

/**
 * Reads the text format of Prometheus, version 0.0.4, more strictly than a server does: HELP, then TYPE, then samples of that metric only;
 * no sample twice; counters end with _total; buckets of a histogram rise to +Inf, which equals its count.
 * @throws Error with the line
 */
export function readMetrics(text: string): ReadonlyMap<string, Metric> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end.')
  const metrics = new Map<string, { type: string; samples: Map<string, number> }>()
  let [helped, present] = ['', '']
  for (const line of text.slice(0, -1).split('\n')) {
    const wrong = (why: string) => new Error(`${why}: ${line}`)
    const [, help] = HELP.exec(line) ?? []
    const [, typed, type = ''] = TYPE.exec(line) ?? []
    const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? []
    if (help !== undefined) {
      if (metrics.has(help)) throw wrong('metric twice')
      helped = help
    } else if (typed !== undefined) {
      if (typed !== helped) throw wrong('TYPE without HELP')
      if ((type === 'counter') !== typed.endsWith('_total')) throw wrong('only counters end with _total')
      present = typed
      metrics.set(typed, { type, samples: new Map() })
    } else if (name !== '') {
      const metric = metrics.get(present)
      const own = metric?.type === 'histogram' ? SUFFIXES.map((suffix) => present + suffix) : [present]
      if (!metric || !own.includes(name)) throw wrong('sample of another metric')
      if (metric.samples.has(name + labels)) throw wrong('sample twice')
      metric.samples.set(name + labels, Number(value.replace('Inf', 'Infinity')))
    } else throw wrong('no line of the format')
  }
  for (const [name, { type, samples }] of metrics) if (type === 'histogram') demandRising(name, samples)
  return metrics
}

function demandRising(name: string, samples: ReadonlyMap<string, number>): void {
  const buckets = [...samples].filter(([key]) => key.startsWith(`${name}_bucket`))
  const bounds = buckets.map(([key]) => Number(/le="([^"]+)"/.exec(key)?.[1]?.replace('Inf', 'Infinity')))
  for (const list of [bounds, buckets.map(([, value]) => value)])
    if (list.some((value, i) => !(value >= (list[i - 1] ?? 0)))) throw new Error(`${name} falls.`)
  if (bounds.at(-1) !== Number.POSITIVE_INFINITY) throw new Error(`${name} has no +Inf.`)
  if (buckets.at(-1)?.[1] !== samples.get(`${name}_count`)) throw new Error(`${name}: count is not +Inf's.`)
}
