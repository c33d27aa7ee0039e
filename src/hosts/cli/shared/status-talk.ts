import { setTimeout as pause } from 'node:timers/promises'
import { messageOf } from '#contract/errors.ts'
import type { HostStatus, Incident, LogProblem } from '#contract/status.ts'
import type { Engine } from '#core/engine/engine.ts'
import { serveLocal } from '../../local/server.ts'
import type { Terminal } from './terminal.ts'

const STARTING_MS = 10_000
const LOOK_EVERY_MS = 1_000
const STARTED = performance.timeOrigin

/** Waits until the receiver listens, fails, or has been starting for STARTING_MS. */
export async function settledStatus(engine: Pick<Engine, 'call'>): Promise<HostStatus> {
  const deadline = Date.now() + STARTING_MS
  for (;;) {
    const status = await engine.call('status.get', {})
    if (status.receiver.state !== 'starting' || Date.now() > deadline) return status
    await pause(20)
  }
}

/** Serves other commands on the local socket. When the socket cannot be opened, the host goes on and reports it. */
export const serveCommands = (engine: Engine, dataDir: string, { say }: Pick<Terminal, 'say'>) =>
  serveLocal({ engine, dataDir }).catch((error: unknown) => {
    say(`Commands cannot reach this Acuse: ${messageOf(error)}`)
    return undefined
  })

/**
 * Tells the user about present problems and later changes, until the returned function is called. It polls once
 * a second, since the engine reads every row again for a subscriber.
 */
export function reportStatus(
  engine: Pick<Engine, 'call'>,
  present: HostStatus,
  say: (sentence: string) => void,
): () => void {
  let said = sentences(present)
  for (const sentence of said) say(sentence)
  const timer = setInterval(async () => {
    // A host in another process may have ended; the command's own call reports that.
    const status = await engine.call('status.get', {}).catch(() => null)
    if (status === null) return
    const next = sentences(status)
    for (const sentence of next) if (!said.includes(sentence)) say(sentence)
    if (next.length === 0 && said.length > 0) say('All is well again.')
    said = next
  }, LOOK_EVERY_MS)
  return () => clearInterval(timer)
}

function sentences({
  receiver,
  store,
  disk,
  counts,
  following,
  alertsFailing = [],
}: HostStatus): readonly string[] {
  const found: string[] = []
  if (receiver.state === 'failed') found.push(whyNotListening(receiver.failure))
  if (following && following.reason !== null)
    found.push(`The shared log cannot be followed: ${following.reason}`)
  if (store.state === 'behind')
    found.push(
      `The database cannot be written (${store.reason}); deliveries are kept in the log until it can.`,
    )
  if (store.state === 'refusing')
    found.push(`Deliveries cannot be stored and are answered 503, so they are lost: ${store.reason}`)
  if (disk.usedBytes > disk.budgetBytes && disk.overBudget !== 'refuse') found.push(overBudget(disk))
  if (counts.budgetDeleted > 0 && disk.overBudget === 'delete-oldest')
    found.push(
      `The store passed its disk budget: ${counts.budgetDeleted} of the oldest deliveries were deleted for it so far.`,
    )
  for (const name of alertsFailing)
    found.push(`The alert "${name}" cannot be sent; "acuse alerts list" shows why.`)
  return [...found, ...lossSentences(store)]
}

/** What a store lost, or may have lost, one sentence each. */
export const lossSentences = ({ logProblems, incidents }: HostStatus['store']): readonly string[] => [
  ...logProblems.map(logSentence),
  ...incidents
    .filter(({ at, salvage }) => salvage === 'offered' || (salvage === 'none' && at >= STARTED))
    .map(incidentSentence),
]

function logSentence(problem: LogProblem): string {
  switch (problem.kind) {
    case 'unfinished':
      return `The log ends with ${problem.bytes} unreadable bytes: a crash cut the last write short. No sender was answered for it, unless the disk changed the bytes later; reconcile to be sure.`
    case 'cut':
      return `The log is shorter than Acuse left it: another program or the disk cut it. No delivery gets the ids ${problem.from} to ${problem.to} again; those that had one are lost; reconcile to see which.`
    case 'partial':
      return `Records ${problem.from} to ${problem.to} are missing from the last write before a crash. No sender was answered for them, unless the disk lost them later; reconcile to be sure.`
    case 'damaged':
      return `Records ${problem.from} to ${problem.to} of the log are damaged. Deliveries in them are lost; reconcile to see which.`
    case 'refused':
      return `The database refuses delivery ${problem.id} (${problem.reason}), so it is in no list.`
    case 'altered':
      return `The stored bytes of ${problem.ids.length === 1 ? 'delivery' : 'deliveries'} ${problem.ids.join(', ')} are not those that Acuse received: the disk or another program changed them.`
    case 'journal':
      return `The journal ${problem.path} cannot be read (${problem.reason}): its deliveries stay in it until Acuse starts and can read it.`
  }
}

function incidentSentence({ kind, reason, setAside, fresh }: Incident): string {
  const left = setAside.length > 0 ? ` What was found is set aside as ${setAside.join(', ')}.` : ''
  switch (kind) {
    case 'damaged':
      return `The database was damaged (${reason}). It was set aside as ${setAside.join(', ')}; ${fresh} took over.`
    case 'missing':
      return `The database was empty or missing (${reason}).${left} ${fresh} has of the earlier deliveries what the log still had; restore a backup if you have one.`
    case 'moved':
      return `The database lost its files (${reason}). ${fresh} was written again from the open files; no delivery is lost.${left}`
  }
}

/** Omits the size in use: it changes with every delivery, and each change would print the sentence again. */
function overBudget({ budgetBytes, overBudget: policy }: HostStatus['disk']): string {
  const passed = `The store takes more of the disk than its budget of ${budgetBytes.toLocaleString('en')} bytes.`
  return policy === 'delete-oldest'
    ? `${passed} The oldest deliveries go now; where that cannot be enough (pinned ones, a database set aside), none do.`
    : `${passed} Nothing goes by itself: delete deliveries, raise retention.budgetBytes, or choose retention.overBudget.`
}

type Failure = Extract<HostStatus['receiver'], { state: 'failed' }>['failure']

/** @param option the command's option for another port */
export function whyNotListening(
  { code, host, port, message, nextFreePort }: Failure,
  option = '--receiver-port',
): string {
  const next = nextFreePort === null ? '' : ` Port ${nextFreePort} is free: ${option} ${nextFreePort}.`
  if (code === 'port-in-use') return `Nothing is received: port ${port} on ${host} is in use.${next}`
  if (code === 'no-permission') return `Nothing is received: this user may not listen on port ${port}.${next}`
  if (code === 'bad-certificate') return `Nothing is received: ${message}`
  if (code === 'bad-address') return `Nothing is received: ${host} is not an address of this machine.`
  return `Nothing is received: port ${port} on ${host} cannot be used (${message}).${next}`
}
