import type { ConnectChange } from '#contract/connect.ts'

/** A request as it went out, or as it came in. */
export interface Compared {
  readonly method: string
  /** Raw request target. */
  readonly target: string
  /** Flat list. */
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

/** What was altered on the way, byte for byte: method, target and body first, then headers in the order of sending. */
export function changesOnTheWay(sent: Compared, arrived: Compared): readonly ConnectChange[] {
  const changes: ConnectChange[] = []
  if (sent.method !== arrived.method)
    changes.push({ part: 'method', sent: sent.method, arrived: arrived.method })
  if (sent.target !== arrived.target)
    changes.push({ part: 'path', sent: sent.target, arrived: arrived.target })
  const at = firstDifference(sent.body, arrived.body)
  if (at !== null) changes.push({ part: 'body', sent: sent.body.length, arrived: arrived.body.length, at })
  return [...changes, ...headerChanges(pairs(sent.headers), pairs(arrived.headers))]
}

function firstDifference(a: Uint8Array, b: Uint8Array): number | null {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return i
  return a.length === b.length ? null : shorter
}

type Pair = readonly [name: string, value: string]

function pairs(flat: readonly string[]): Pair[] {
  const found: Pair[] = []
  for (let i = 0; i + 1 < flat.length; i += 2) found.push([flat[i] ?? '', flat[i + 1] ?? ''])
  return found
}

/** Each header sent takes the first one of its name that arrived; one left over was added. */
function headerChanges(sent: readonly Pair[], arrived: readonly Pair[]): readonly ConnectChange[] {
  const left = [...arrived]
  const changes: ConnectChange[] = []
  for (const [name, value] of sent) {
    const same = (other: string) => other.toLowerCase() === name.toLowerCase()
    const exact = left.findIndex(([other, content]) => same(other) && content === value)
    const at = exact === -1 ? left.findIndex(([other]) => same(other)) : exact
    const [taken] = at === -1 ? [] : left.splice(at, 1)
    const change = (how: 'removed' | 'changed' | 'case', came: string | null): ConnectChange => ({
      ...{ part: 'header', how, name, sent: value, arrived: came },
    })
    if (!taken) changes.push(change('removed', null))
    else if (taken[1] !== value) changes.push(change('changed', taken[1]))
    else if (taken[0] !== name) changes.push(change('case', taken[0]))
  }
  const added = left.map(
    ([name, value]): ConnectChange => ({ part: 'header', how: 'added', name, sent: null, arrived: value }),
  )
  return [...changes, ...added]
}
