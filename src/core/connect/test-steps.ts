import type { ConnectChange, ConnectTest } from '#contract/connect.ts'

/** `note`: worth knowing, but not a failure. */
export type StepState = 'good' | 'note' | 'bad'

export type TestStep =
  | { readonly step: 'lookup' | 'tls'; readonly state: 'good'; readonly ms: number }
  | { readonly step: 'connect'; readonly state: 'good'; readonly ms: number; readonly address: string }
  | { readonly step: 'certificate'; readonly state: 'bad'; readonly reason: string }
  | { readonly step: 'arrived'; readonly state: StepState }
  | { readonly step: 'missing' | 'elsewhere' | 'failed'; readonly state: 'bad' }
  | {
      readonly step: 'answer'
      readonly state: 'note' | 'bad'
      readonly status: number
      readonly ours: number
    }
  | { readonly step: 'changes'; readonly state: StepState; readonly changes: readonly ConnectChange[] }

const ms = (us: number): number => Math.round(us / 100) / 10

export function testSteps(test: ConnectTest): readonly TestStep[] {
  const { timings, address, certificate, arrival, answer, outcome } = test
  if (outcome === 'receiver-off') return []
  const steps: TestStep[] = []
  if (timings.lookupUs !== null && address !== null)
    steps.push({ step: 'lookup', state: 'good', ms: ms(timings.lookupUs) })
  if (timings.connectUs !== null && address !== null)
    steps.push({ step: 'connect', state: 'good', ms: ms(timings.connectUs), address })
  if (certificate)
    steps.push({ step: 'certificate', state: 'bad', reason: String(certificate.params.reason) })
  else if (timings.tlsUs !== null && timings.sendUs !== null)
    steps.push({ step: 'tls', state: 'good', ms: ms(timings.tlsUs) })
  if (outcome === 'elsewhere') steps.push({ step: 'elsewhere', state: 'bad' })
  else if (test.error) steps.push({ step: 'failed', state: 'bad' })
  if (!arrival) {
    if (timings.sendUs !== null) steps.push({ step: 'missing', state: 'bad' })
    return steps
  }
  steps.push({ step: 'arrived', state: arrival.rejected ? 'note' : 'good' })
  if (answer && arrival.status !== null && answer.status !== arrival.status)
    steps.push({ step: 'answer', state: 'bad', status: answer.status, ours: arrival.status })
  const worst = arrival.changes.some(harmful) ? 'bad' : arrival.changes.length > 0 ? 'note' : 'good'
  return [...steps, { step: 'changes', state: worst, changes: arrival.changes }]
}

/** Headers that every hop may rewrite (RFC 9110, 7.6.1), and headers by which proxies identify themselves. */
const HOPS: ReadonlySet<string> = new Set(['host', 'connection', 'accept', 'user-agent', 'transfer-encoding'])

function harmful(change: ConnectChange): boolean {
  if (change.part !== 'header') return true
  return (change.how === 'removed' || change.how === 'changed') && !HOPS.has(change.name.toLowerCase())
}

/** Whether the delivery arrived unchanged and a sender that checks certificates could have sent it. */
export function isProven(test: ConnectTest): boolean {
  return test.outcome === 'arrived' && testSteps(test).every(({ state }) => state !== 'bad')
}
