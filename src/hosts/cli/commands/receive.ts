import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { Call } from '#core/ports.ts'
import { dataDir } from '../../data-dir.ts'
import { type Cli, command, flag, option, preset, type Values } from '../shared/command.ts'
import { couldNot } from '../shared/failures.ts'
import { whyNotListening } from '../shared/status-talk.ts'
import { stopSignal } from '../shared/terminal.ts'
import { METRICS_OPTIONS, port, startProbes, TLS_OPTIONS, tlsFrom } from './serve.ts'
import { LOG_OPTION, logUrl } from './shared.ts'

const { receiver } = DEFAULT_SETTINGS

const OPTIONS = {
  ...LOG_OPTION,
  name: option('<name>', 'name of this receiver (the name of the machine)'),
  receiverPort: preset('<n>', 'port of the receiver; 0 takes a free one', port, receiver.port),
  receiverHost: preset('<address>', 'address of the receiver', String, receiver.host),
  ...TLS_OPTIONS,
  patience: preset(
    '<s>',
    'longest wait for the shared log before a delivery is kept here',
    z.number().min(0.1).max(60),
    2,
  ),
  ...METRICS_OPTIONS,
  refuse: flag('answer 503 instead of keeping deliveries here when the shared log does not take them'),
  trial: {
    ...flag(
      'start a database, its standby, two receivers and a balancer on this machine, to try a shared log',
    ),
    only: ['receiverPort'],
  },
}

export const receive = command({
  name: 'receive',
  about: 'Receive deliveries into a shared log on PostgreSQL, without a window and without a store.',
  options: OPTIONS,
  json: 'print one JSON line when ready: {"receiver","log","metrics","data"}; with --trial {"balancer","receivers","primary","standby","log","data"}',
  examples: [
    ['acuse receive --log postgres://acuse@db1,db2/acuse', 'receive on port 4400'],
    ['acuse receive --trial', 'see a shared log work, in a temporary folder'],
    ['ACUSE_LOG_KEY=… acuse receive --log postgres://acuse@db1/acuse', 'where endpoints have secrets'],
  ],
  run,
})

async function run(options: Values<typeof OPTIONS>, cli: Cli): Promise<void> {
  const { terminal } = cli
  if (options.trial) return runTrial(options, cli)
  const url = logUrl(options.log, terminal)
  const stop = stopSignal(terminal.say)
  const [{ startSharedReceiver }, { shown }, { hostWorkers }] = await Promise.all([
    import('../../shared-receiver.ts'),
    import('#log/shared/database.ts'),
    import('../../workers.ts'),
  ])
  const folder = dataDir(cli.folder)
  const spill = join(folder, 'receive')
  const host = await startSharedReceiver({
    url,
    name: options.name ?? hostname(),
    passphrase: terminal.env.ACUSE_LOG_KEY,
    folder: spill,
    spill: !options.refuse,
    patienceMs: options.patience * 1_000,
    host: options.receiverHost,
    port: options.receiverPort,
    tls: tlsFrom(options),
    logWorker: hostWorkers.log,
    say: terminal.say,
  })
  try {
    const state = host.state()
    if (state.state !== 'listening')
      throw couldNot(
        state.state === 'failed' ? whyNotListening(state.failure) : 'The receiver does not listen.',
      )
    const call = async (command: string) =>
      command === 'status.ready' ? host.ready() : { text: host.metrics() }
    const probes = await startProbes({ call: call as Call }, options, terminal)
    const metrics = probes?.url ?? null
    await cli.print(
      { receiver: state.url, log: shown(url), metrics, data: folder },
      `Receiver  ${state.url}\nLog       ${shown(url)}\n${metrics === null ? '' : `Metrics   ${metrics}metrics\n`}Spill     ${options.refuse ? 'none; deliveries are answered 503 while the log is away' : spill}\nData      ${folder}\n`,
    )
    await stop
    await probes?.close()
  } finally {
    await host.close()
  }
}

async function runTrial({ receiverPort }: Values<typeof OPTIONS>, { terminal, ...cli }: Cli) {
  const stop = stopSignal(terminal.say)
  const [{ startTrial }, { guardFile }] = await Promise.all([
    import('../../trial.ts'),
    import('../../workers.ts'),
  ])
  const trial = await startTrial({
    folder: cli.folder === undefined ? null : resolve(cli.folder),
    port: receiverPort,
    env: terminal.env,
    command: [process.execPath, process.argv[1] ?? ''],
    guard: guardFile,
    say: terminal.say,
  })
  try {
    const { folder, close: _, ...told } = trial
    const line = (name: string, { url, pid }: { readonly url: string; readonly pid: number }) =>
      `${name.padEnd(11)} ${url}  (process ${pid})\n`
    await cli.print(
      { ...told, data: folder },
      `${line('Primary', trial.primary)}${line('Standby', trial.standby)}${trial.receivers.map((one, n) => line(`Receiver ${n + 1}`, one)).join('')}Balancer    ${trial.balancer}  (send deliveries here)
Data        ${folder}${cli.folder === undefined ? ' (deleted at the end)' : ''}

Follow it in another terminal:
  acuse follow --log ${trial.log} --data ./trial-copy --from oldest
End a receiver or the standby, and send again: every delivery that was answered is there, once.
`,
    )
    await stop
  } finally {
    await trial.close()
  }
}
