import type { AlertState } from '#contract/alerts.ts'
import type { HostStatus } from '#contract/status.ts'
import { COVERAGE_STATES } from '#contract/values.ts'
import type { Call } from '../ports.ts'
import { exposition, type Family, labelled, type Meter, type Sample } from './meter.ts'

const DAY_MS = 86_400_000
/** A part that the store cannot answer in this time is left out, so that a scrape never waits for a slow search. */
const PART_MS = 2_000

interface MetricsParts {
  readonly call: Call
  readonly status: () => HostStatus
  /** Null in a host without a receiver. */
  readonly meter: Meter | null
  readonly version: string
  readonly now: () => number
}

/**
 * Collects the figures of a host. Labels hold states and names from the settings (forwards, targets, connections), never data of a delivery.
 * @returns text in the format of Prometheus
 */
export function createMetrics({ call, status, meter, version, now }: MetricsParts): () => Promise<string> {
  const startedAt = now()
  return async () => {
    const parts = await Promise.all(
      [verdicts(call), coverage(call, now()), forwards(call), sweeps(call), alerts(call)].map(inTime),
    )
    const build: Family = {
      name: 'acuse_build_info',
      help: 'Version of Acuse; the value is always 1.',
      type: 'gauge',
      samples: [{ labels: { version }, value: 1 }],
    }
    return exposition([
      build,
      gauge('acuse_start_time_seconds', 'Start of this process, seconds since the epoch.', startedAt / 1_000),
      ...(meter?.families() ?? []),
      ...present(status()),
      ...parts.flatMap((part) => part ?? []),
      gauge(
        'acuse_scrape_parts_missing',
        'Parts of this scrape that the store did not answer in time, or refused.',
        parts.filter((part) => part === null).length,
      ),
    ])
  }
}

/** @returns null for a part that fails or takes too long */
function inTime(part: Promise<readonly Family[]>): Promise<readonly Family[] | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PART_MS, null)
    const end = (families: readonly Family[] | null) => {
      clearTimeout(timer)
      resolve(families)
    }
    part.then(end, () => end(null))
  })
}

export const gauge = (name: string, help: string, values: number | readonly Sample[]): Family => ({
  name,
  help,
  type: 'gauge',
  samples: typeof values === 'number' ? [{ value: values }] : values,
})

function present({ receiver, store, counts, disk, faults }: HostStatus): readonly Family[] {
  const listening = receiver.state === 'listening'
  return [
    gauge('acuse_receiver_listening', 'Whether the receiver listens.', Number(listening)),
    gauge(
      'acuse_receiver_refused_connections',
      'Connections refused since listening began because too many were open.',
      (listening ? receiver.refused : undefined) ?? 0,
    ),
    gauge(
      'acuse_store_state',
      'State of the store. behind: deliveries wait in the log; refusing: deliveries are lost.',
      labelled(
        'state',
        (['ok', 'behind', 'refusing'] as const).map((state) => [state, Number(state === store.state)]),
      ),
    ),
    gauge('acuse_filing_backlog', 'Deliveries in the log that the database lacks.', counts.unfiled),
    gauge('acuse_judging_backlog', 'Deliveries that await analysis.', counts.unjudged),
    gauge('acuse_rejected_deliveries', 'Stored deliveries without the secret.', counts.rejected),
    gauge(
      'acuse_malformed_deliveries',
      "Stored deliveries that are no complete request and lack the endpoint's secret.",
      counts.malformed,
    ),
    gauge('acuse_budget_deleted', 'Deliveries ever deleted for the disk budget.', counts.budgetDeleted),
    gauge('acuse_fault_rules', 'Active fault rules.', faults.length),
    gauge('acuse_log_bytes', 'Size of the log.', disk.logBytes),
    gauge('acuse_disk_used_bytes', 'Size of the store.', disk.usedBytes),
    gauge('acuse_disk_budget_bytes', 'Budget of the store.', disk.budgetBytes),
    gauge(
      'acuse_disk_free_bytes',
      'Free space of the volume.',
      disk.freeBytes === null ? [] : disk.freeBytes,
    ),
  ]
}

async function verdicts(call: Call): Promise<readonly Family[]> {
  const { verdicts } = await call('deliveries.summary', { filter: '' })
  return [
    gauge(
      'acuse_stored_deliveries',
      'Deliveries in the store, by verdict. Deletion lowers it.',
      labelled('verdict', Object.entries(verdicts)),
    ),
  ]
}

async function coverage(call: Call, now: number): Promise<readonly Family[]> {
  const { spans } = await call('coverage.list', { from: now - DAY_MS, to: now })
  const seconds = new Map<string, number>(COVERAGE_STATES.map((state) => [state, 0]))
  for (const { state, from, to } of spans) seconds.set(state, (seconds.get(state) ?? 0) + (to - from) / 1_000)
  return [
    gauge(
      'acuse_coverage_seconds',
      'Seconds of the last 24 hours that the receiver spent in each state.',
      labelled('state', seconds),
    ),
  ]
}

async function forwards(call: Call): Promise<readonly Family[]> {
  const lanes = (await call('forwards.list', {})).forwards.flatMap(({ name, lanes }) =>
    lanes.map((lane, i) => ({ labels: { forward: name, target: shown(lane.target, i + 1) }, lane })),
  )
  const each = (of: 'waiting' | 'sent' | 'failed') =>
    lanes.map(({ labels, lane }) => ({ labels, value: lane[of] }))
  return [
    gauge('acuse_forward_queue', 'Deliveries that wait in a forward.', each('waiting')),
    gauge('acuse_forward_sent', 'Deliveries that a forward has sent.', each('sent')),
    gauge('acuse_forward_failed', 'Deliveries that a forward could not send.', each('failed')),
    gauge(
      'acuse_forward_down',
      'Whether the target of a forward does not answer.',
      lanes.map(({ labels, lane }) => ({ labels, value: Number(lane.state === 'down') })),
    ),
  ]
}

/** A one-time URL in place of a target's name may hold a credential. */
const shown = (target: string, nth: number): string => (target.includes('://') ? `url-${nth}` : target)

async function sweeps(call: Call): Promise<readonly Family[]> {
  const { sweeps } = await call('sweeps.list', {})
  const ended = sweeps.filter(({ endedAt }) => endedAt !== null)
  const newest = [...Map.groupBy(ended, ({ connection }) => connection)].flatMap(([connection, [sweep]]) =>
    sweep ? [{ labels: { connection }, sweep }] : [],
  )
  const compared = newest.flatMap(({ labels, sweep }) =>
    sweep.counts ? [{ labels, counts: sweep.counts }] : [],
  )
  return [
    gauge(
      'acuse_sweep_end_time_seconds',
      'End of the last sweep of a connection, seconds since the epoch.',
      newest.map(({ labels, sweep }) => ({ labels, value: (sweep.endedAt ?? 0) / 1_000 })),
    ),
    gauge(
      'acuse_sweep_complete',
      'Whether the last sweep of a connection was complete.',
      newest.map(({ labels, sweep }) => ({ labels, value: Number(sweep.state === 'complete') })),
    ),
    gauge(
      'acuse_sweep_documents',
      'Documents of the last compared sweep, by class.',
      compared.flatMap(({ labels, counts }) =>
        Object.entries(counts).map(([name, value]) => ({ labels: { ...labels, class: name }, value })),
      ),
    ),
  ]
}

async function alerts(call: Call): Promise<readonly Family[]> {
  const { alerts } = await call('alerts.list', {})
  const each = (value: (state: AlertState) => number) =>
    alerts.map((state) => ({ labels: { alert: state.alert.name }, value: value(state) }))
  return [
    gauge(
      'acuse_alert_open',
      'Open incidents of an alert.',
      each(({ open }) => open.length),
    ),
    gauge(
      'acuse_alert_failing',
      'Whether the last message of an alert could not be sent.',
      each(({ lastFailure }) => Number(lastFailure !== null)),
    ),
  ]
}
