import { AcuseError } from '#contract/errors.ts'
import type { DocumentRow } from '#contract/reconcile.ts'
import { Interrupted, type RunPorts } from './run-ports.ts'

const PAGE = 1_000
/** As many missed documents are told apart from new ones; beyond it they would count as new again. */
const TOLD = 20_000
/** How often it is asked whether everything is analysed, and how many times: after an update, a million deliveries take a while. */
const LOOK_MS = 2_000
const LOOKS = 900

export interface Told {
  /** Documents of these classes that nobody ignored. */
  readonly missing: number
  readonly differs: number
  /** Documents with a missed event that are told of for the first time. */
  readonly fresh: number
  /** Keys of all documents with a missed event. */
  readonly keys: readonly string[]
}

/** Compares a sweep with what is captured by now, and tells new misses from those that a run before has told of. */
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

/** What is captured, but not analysed yet, would count as missed. @throws AcuseError `not-available` when that takes too long */
async function analysed({ call }: RunPorts, signal: AbortSignal): Promise<void> {
  for (let looked = 0; looked < LOOKS; looked++) {
    const { unjudged } = await call('deliveries.settled', { timeoutMs: LOOK_MS })
    if (unjudged === 0) return
    if (signal.aborted) throw new Interrupted()
  }
  throw new AcuseError(
    'not-available',
    'Deliveries are still being analysed, so nothing was compared; the next run tries again.',
  )
}

/** Values that differ make an update only possibly missed; that alone is no reason to call somebody. */
const isMissed = ({ missed }: DocumentRow): boolean => missed.some(({ certainty }) => certainty === 'missed')
