/** What a target makes of a list of headers. */
export interface HeaderPlan {
  /** Value of Host, unless `set` names another. */
  readonly host: string
  /** Lower-cased names. */
  readonly remove: ReadonlySet<string>
  /** Replaced where they stand, else added. */
  readonly set: readonly (readonly [name: string, value: string])[]
}

export interface HeaderFacts {
  readonly bodySize: number
  /** X-Acuse-Replay and its value, or null. */
  readonly mark: readonly [name: string, value: string] | null
  /** Lower-cased names that do not go along. */
  readonly secretHeaders: ReadonlySet<string>
  /** Flat list of headers that do not go along with this value; lower-cased names. */
  readonly withheld: readonly string[]
}

/** RFC 9110 7.6.1, and Expect: each belongs to the connection that the delivery came by, not to the delivery. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
])

/**
 * The flat list that goes out: the delivery's order, case and duplicates, without what belonged to its connection; Host once, in its place;
 * Content-Length once, in its place, with the true size; what the target removes, replaces in place and adds; the replay mark last. A target
 * can set Host, but can remove neither Host nor framing.
 * @param came flat list of names and values
 */
export function outgoingHeaders(came: readonly string[], plan: HeaderPlan, facts: HeaderFacts): string[] {
  const nominated = nominatedNames(came)
  const mark = facts.mark?.[0].toLowerCase()
  const wanted = wantedHeaders(plan, mark)
  const out: string[] = []
  let hosted = false
  let framed = false
  let chunked = false
  for (let i = 0; i + 1 < came.length; i += 2) {
    const name = came[i] ?? ''
    const lower = name.toLowerCase()
    if (lower === 'host') {
      if (!hosted) out.push(name, wanted.get('host')?.[0]?.[1] ?? plan.host)
      hosted = true
    } else if (lower === 'content-length') {
      if (!framed) out.push(name, String(facts.bodySize))
      framed = true
    } else if (HOP_BY_HOP.has(lower) || nominated?.has(lower)) chunked ||= lower === 'transfer-encoding'
    else if (lower !== mark && !plan.remove.has(lower)) {
      const replacement = wanted.get(lower)
      // The first of the name is replaced by all of the target's; the others have gone with it.
      if (replacement) for (const [own, value] of replacement.splice(0)) out.push(own, value)
      else if (!facts.secretHeaders.has(lower) && !holds(facts.withheld, lower, came[i + 1] ?? ''))
        out.push(name, came[i + 1] ?? '')
    }
  }
  if (!hosted) out.unshift('Host', wanted.get('host')?.[0]?.[1] ?? plan.host)
  if (!framed && (chunked || facts.bodySize > 0)) out.push('Content-Length', String(facts.bodySize))
  for (const [lower, rest] of wanted)
    if (lower !== 'host') for (const [name, value] of rest) out.push(name, value)
  if (facts.mark) out.push(...facts.mark)
  return out
}

const holds = (list: readonly string[], lower: string, value: string): boolean =>
  list.some((name, i) => i % 2 === 0 && name === lower && list[i + 1] === value)

/** Names that Connection says belong to the connection; null when it names none, as nearly always. */
function nominatedNames(came: readonly string[]): ReadonlySet<string> | null {
  let names: Set<string> | null = null
  for (let i = 0; i + 1 < came.length; i += 2)
    if (came[i]?.length === 10 && came[i]?.toLowerCase() === 'connection') {
      names ??= new Set()
      for (const name of (came[i + 1] ?? '').split(',')) names.add(name.trim().toLowerCase())
    }
  return names
}

const NOTHING: ReadonlyMap<string, (readonly [name: string, value: string])[]> = new Map()

/** By lower-cased name, in order. Framing and what belongs to the connection cannot be set: the request could not be read any more. */
function wantedHeaders(
  plan: HeaderPlan,
  mark: string | undefined,
): ReadonlyMap<string, (readonly [name: string, value: string])[]> {
  if (plan.set.length === 0) return NOTHING
  const wanted = new Map<string, (readonly [name: string, value: string])[]>()
  for (const pair of plan.set) {
    const lower = pair[0].toLowerCase()
    if (lower === 'content-length' || lower === mark || HOP_BY_HOP.has(lower)) continue
    const known = wanted.get(lower)
    if (known) known.push(pair)
    else wanted.set(lower, [pair])
  }
  return wanted
}
