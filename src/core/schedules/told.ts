import { refused } from '#contract/errors.ts'
import type { DocumentRow } from '#contract/reconcile.ts'
import { Interrupted, type RunPorts } from './ports.ts'

const PAGE = 1_000
/** Maximum keys remembered; documents beyond it would be reported as new again. */
const TOLD = 20_000
/** After an update, analysing a million deliveries takes a while. */
const POLL_MS = 2_000
const POLLS = 900

export interface Told {
  readonly missing: number
  readonly differs: number
  readonly fresh: number
  readonly keys: readonly string[]
}

/** Counts what the sweep found missing or differing. @returns `fresh`: missed documents that no earlier run told of */
export async function tell(ports: RunPorts, sweep: number, signal: AbortSignal): Promise<Told> {
  const { call, memory } = ports
  await analysed(ports, signal)
  await call('reconciliation.summary', { sweep })
  const known = new Set(memory().told)
  const keys: string[] = []
  let [missing, differs, fresh] = [0, 0, 0]
  for (let from = 0; ; ) {
    const { rows, total } = await call('reconciliation.rows', {
      sweep,
      classes: ['missing', 'differs'],
      from,
      limit: PAGE,
    })
    for (const row of rows) {
      if (row.ignored !== null) continue
      if (row.class === 'missing') missing += 1
      else differs += 1
      if (!isMissed(row)) continue
      if (!known.has(row.key) && row.recovered === null) fresh += 1
      if (keys.length < TOLD) keys.push(row.key)
    }
    from += rows.length
    if (rows.length === 0 || from >= total) return { missing, differs, fresh, keys }
  }
}

/** Waits for analysis, since captured but unanalysed events would count as missed. @throws AcuseError `not-available` after too long */
export async function analysed({ call }: RunPorts, signal: AbortSignal): Promise<void> {
  for (let polled = 0; polled < POLLS; polled++) {
    const { unjudged } = await call('deliveries.settled', { timeoutMs: POLL_MS })
    if (unjudged === 0) return
    if (signal.aborted) throw new Interrupted()
  }
  throw refused('not-available', 'still-analysing')
}

/** Whether an event was certainly missed; a possibly missed update alone is no reason to notify the user. */
const isMissed = ({ missed }: DocumentRow): boolean => missed.some(({ certainty }) => certainty === 'missed')
