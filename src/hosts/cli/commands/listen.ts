import { type Forward, forward } from '#contract/replay.ts'
import type { HostStatus } from '#contract/status.ts'
import { systemCode } from '#core/file-trouble.ts'
import { readFilter } from '#core/filter/read.ts'
import { type Cli, command, defined, flag, option, preset, type Values } from '../shared/command.ts'
import { checkDestinations, destinationFrom } from '../shared/destination.ts'
import { couldNot, wrongUsage } from '../shared/failures.ts'
import { namedFilter, type Reached, reach } from '../shared/reach.ts'
import { reportStatus, serveCommands, settledStatus, whyNotListening } from '../shared/status-talk.ts'
import { stopSignal, type Terminal } from '../shared/terminal.ts'
import { jsonScreen, ListenWatch, laneOf, newestDelivery, peopleScreen } from './listen-watch.ts'
import { port } from './serve.ts'

const OPTIONS = {
  forwardTo: option('<address>', 'where to: an http(s) address, or the name of a target', destinationFrom),
  filter: preset('<filter>', 'only those the filter selects (as in the window)', String, ''),
  print: flag('print the bodies too; without --forward-to, events are printed and not forwarded'),
  port: option('<n>', 'port of the receiver for this run; 0 takes a free one', port),
  answer: {
    ...flag("answer the service with your handler's answer, if it comes within 5 s"),
    needs: 'forwardTo',
  },
  concurrency: {
    ...preset(
      '<n>',
      'deliveries in flight at most; documents keep their order',
      forward.shape.concurrency,
      4,
    ),
    needs: 'forwardTo',
  },
  whenDown: {
    ...preset(
      '<what>',
      'while the handler cannot be reached: queue deliveries, or drop them',
      forward.shape.whenDown,
      'queue',
    ),
    needs: 'forwardTo',
  },
}
type ListenOptions = Values<typeof OPTIONS>

export const listen = command({
  name: 'listen',
  about:
    'Receive deliveries, forward them to your handler, and print each event in one line. If Acuse is already running, that process receives and forwards.',
  options: OPTIONS,
  json: 'print {"receiver","forwardTo","forward","data"} when ready, then a line per event and per attempt',
  examples: [
    ['acuse listen --forward-to http://127.0.0.1:3000/hook', 'everything to your handler'],
    ["acuse listen --forward-to staging --filter 'group:invoices' --answer", 'invoices, with its answers'],
    ['acuse listen --print --port 0', 'only print deliveries'],
  ],
  async run(given, cli) {
    if (given.forwardTo === undefined && !given.print)
      throw wrongUsage(
        'Name a destination: --forward-to http://127.0.0.1:3000/hook; or --print to forward nothing.',
      )
    if (!given.filter.startsWith('@')) readFilter(given.filter)
    await run(given, cli)
  },
})

const ANSWER_MS = 5_000
const NAME = 'listen-'

/** Prints deliveries until a signal. The folder's running host receives and forwards, else this process does. @throws CommandFailure */
async function run(options: ListenOptions, cli: Cli): Promise<void> {
  const { terminal, json } = cli
  const stop = stopSignal(terminal.say)
  let early: Plan | undefined
  const reached = await reach(cli.folder, terminal, (folder) =>
    openReceiving(folder, options.port, terminal, async (call) => {
      early = await planOf(options, call)
      // Before the receiver listens, so that the first delivery is forwarded too.
      if (!early.forward) return
      await checkDestinations({ call }, early.forward.targets)
      await call('forwards.save', early.forward)
    }),
  )
  const { call } = reached
  let forward = early?.forward ?? null
  let saved = forward !== null
  let stopReporting: (() => void) | undefined
  try {
    const plan = early ?? (await planOf(options, call))
    forward = plan.forward
    const receiver = await receiverOf(reached, options, terminal)
    stopReporting = reportStatus(reached, await call('status.get', {}), terminal.say)
    if (forward) await checkDestinations(reached, forward.targets)
    if (forward && !saved) {
      await removeOrphans(call)
      await call('forwards.save', forward)
      saved = true
    }
    await terminal.print(readyText(receiver, forward, reached, json))
    const screen = (json ? jsonScreen : peopleScreen)(terminal, reached, options.print)
    const watch = { ...plan, forward: forward?.name ?? null, whenDown: options.whenDown }
    await new ListenWatch(call, watch, screen, terminal.say).run(stop)
    if (forward) await sayWhatIsLeft(reached, forward.name, terminal)
  } finally {
    stopReporting?.()
    if (forward && saved) await call('forwards.remove', { name: forward.name }).catch(() => undefined)
    await reached.close()
  }
}

interface Plan {
  /** The filter's text, with a saved filter's name resolved. */
  readonly filter: string
  readonly forward: Forward | null
  /** Id of the newest delivery at the start; later ones are printed. */
  readonly after: number
}

async function planOf(options: ListenOptions, call: Reached['call']): Promise<Plan> {
  const filter = await namedFilter({ call }, options.filter)
  return { filter, forward: forwardOf(options, filter), after: await newestDelivery(call) }
}

function forwardOf({ forwardTo, concurrency, whenDown, answer }: ListenOptions, filter: string) {
  if (forwardTo === undefined) return null
  return {
    name: `${NAME}${process.pid}`,
    enabled: true,
    filter,
    targets: [forwardTo],
    concurrency,
    whenDown,
    answerFrom: answer ? forwardTo : null,
    answerTimeoutMs: ANSWER_MS,
    temporary: true,
  }
}

/** Starts a host without a window in this process; other commands connect to it as to `acuse serve`. */
async function openReceiving(
  folder: string,
  port: number | undefined,
  terminal: Terminal,
  before: (call: Reached['call']) => Promise<void>,
): Promise<Reached> {
  // Imported here, since other commands need neither Express nor the store's threads.
  const { checkedCall, hostHere } = await import('../shared/here.ts')
  const host = await hostHere(folder, terminal, {
    receiver: { enabled: true, ...defined({ port }) },
    beforeListening: (engine) => before(checkedCall(engine)),
  })
  const { engine } = host
  const local = await serveCommands(engine, folder, terminal)
  return {
    dataDir: folder,
    here: true,
    call: checkedCall(engine),
    async close() {
      await local?.close()
      await host.close()
    },
  }
}

/** @returns the receiver's address, which the user gives to the service @throws CommandFailure when the receiver does not listen */
async function receiverOf(reached: Reached, { port }: ListenOptions, terminal: Terminal): Promise<string> {
  const { receiver }: HostStatus = await settledStatus(reached)
  if (receiver.state === 'failed') throw couldNot(whyNotListening(receiver.failure, '--port'))
  if (receiver.state !== 'listening')
    throw couldNot('The receiver of the running Acuse is off: start it first.')
  if (!reached.here && port !== undefined && port !== receiver.port)
    throw wrongUsage(
      `An Acuse runs on this data folder already and receives on port ${receiver.port}: leave out --port.`,
    )
  if (!reached.here) terminal.say('An Acuse runs on this data folder already; it receives.')
  return receiver.url
}

/** Removes the forwards of `listen` processes that were killed while another process ran the host. */
async function removeOrphans(call: Reached['call']): Promise<void> {
  const { forwards } = await call('forwards.list', {})
  for (const { name, temporary } of forwards)
    if (temporary && name.startsWith(NAME) && !isRunning(Number(name.slice(NAME.length))))
      await call('forwards.remove', { name })
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}

async function sayWhatIsLeft({ call }: Reached, name: string, terminal: Terminal): Promise<void> {
  const lane = await laneOf(call, name)
  if (lane && lane.waiting > 0)
    terminal.say(
      `${lane.waiting} had not been forwarded yet. They are stored; "acuse events" shows them, "acuse replay" sends them.`,
    )
}

function readyText(receiver: string, forward: Forward | null, { dataDir }: Reached, json: boolean): string {
  const forwardTo = forward?.targets[0] ?? null
  if (json)
    return `${JSON.stringify({ receiver, forwardTo, forward: forward?.name ?? null, data: dataDir })}\n`
  const which = forward && forward.filter !== '' ? ` (${forward.filter})` : ''
  const lines = [
    `Receiver  ${receiver}  – the address to give to the service`,
    `Forward   ${forwardTo === null ? 'nothing: events are only printed' : `${forwardTo}${which}`}`,
    `Data      ${dataDir}`,
    'Ctrl+C ends it.',
  ]
  return `${lines.join('\n')}\n\n`
}
