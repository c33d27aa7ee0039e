import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { AcuseError, messageOf } from '#contract/errors.ts'
import type { ReceiverTls } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import type { Engine } from '#core/engine/engine.ts'
import type { Host, HostOptions } from '../../assemble.ts'
import type { BrowserHost } from '../../browser/server.ts'
import { dataDir } from '../../data-dir.ts'
import type { SandboxRunner } from '../../sandbox-runner.ts'
import { SANDBOX_PORT, type SandboxReady } from '../../sandbox-word.ts'
import { type Cli, command, defined, flag, many, option, preset, type Values } from '../shared/command.ts'
import { wrongUsage } from '../shared/failures.ts'
import { openInBrowser } from '../shared/open-browser.ts'
import { reportStatus, serveCommands, settledStatus } from '../shared/status-talk.ts'
import { stopSignal, type Terminal } from '../shared/terminal.ts'
import { newsTeller } from './schedule.ts'

/** A bare origin: browsers send nothing else as Origin. */
function publicOrigin(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol === 'https:' && [url.origin, `${url.origin}/`].includes(text)) return url.origin
  throw new InvalidArgumentError('Give scheme and name only, such as https://acuse.example.com.')
}
export const port = z.int().min(0).max(65_535)
export const UI_PORT = 4401

export const TLS_OPTIONS = {
  tlsCert: {
    ...option('<file>', 'the receiver speaks HTTPS with this certificate (PEM), for this run'),
    needs: 'tlsKey',
  },
  tlsKey: {
    ...option('<file>', 'the key of that certificate (PEM, without a passphrase)'),
    needs: 'tlsCert',
  },
  tlsGenerated: {
    ...flag('the receiver speaks HTTPS with a certificate that Acuse makes'),
    not: ['tlsCert', 'tlsKey'],
  },
}

export const METRICS_OPTIONS = {
  metricsPort: option(
    '<n>',
    'serve /livez, /readyz and /metrics on a port of their own too; 0 takes a free one',
    port,
  ),
  metricsHost: {
    ...option('<address>', 'address of --metrics-port (127.0.0.1)', String),
    needs: 'metricsPort',
  },
}

export const WINDOW_OPTIONS = {
  uiPort: preset('<n>', 'port of the window; 0 takes a free one', port, UI_PORT),
  noUi: { ...flag('serve no window'), not: ['uiPort', 'origin', 'open'] },
  origin: many(
    '<url>',
    'HTTPS origin under which a proxy on this machine offers the window, such as https://acuse.example.com; may be repeated',
    publicOrigin,
  ),
  ...METRICS_OPTIONS,
}

/** Options of every lasting host, a service's too. */
export const HOST_OPTIONS = {
  receiverPort: option('<n>', 'port of the receiver for this run; 0 takes a free one', port),
  receiverHost: option('<address>', 'address of the receiver for this run'),
  ...TLS_OPTIONS,
  ...WINDOW_OPTIONS,
}

export const OPEN_OPTION = { open: flag('open the window in the default browser') }

const OPTIONS = {
  ...HOST_OPTIONS,
  secretHeader: option('<name>', 'the default endpoint demands this header, with the value of ACUSE_SECRET'),
  sandbox: flag('run the sandbox beside it, subscribed to the receiver with all 28 kinds'),
  sandboxPort: {
    ...preset('<n>', 'port of the sandbox; 0 takes a free one', port, SANDBOX_PORT),
    needs: 'sandbox',
  },
  ...OPEN_OPTION,
}
type ServeOptions = Values<typeof OPTIONS>

export const serve = command({
  name: 'serve',
  about: 'Receive deliveries and serve the window to a browser on this machine.',
  options: OPTIONS,
  json: 'print one JSON line when ready: {"receiver","ui","sandbox","metrics","data"}',
  examples: [
    ['acuse serve', 'receive on port 4400, window on port 4401'],
    [
      'acuse serve --receiver-port 0 --ui-port 0 --data ./data --json',
      'for a script: free ports, a folder of its own',
    ],
    [
      'acuse serve --receiver-host 0.0.0.0 --tls-cert chain.pem --tls-key key.pem',
      'receive over HTTPS, from other machines too',
    ],
    ['acuse serve --origin https://acuse.example.com', 'a proxy offers the window under this name'],
    ['acuse serve --sandbox', 'and a simulated service that sends to it'],
    ['acuse serve --no-ui --metrics-port 4480', 'without a window, for a monitor'],
    ['ACUSE_SECRET=… acuse serve --secret-header X-Acuse-Key', 'answer 401 to deliveries without the secret'],
  ],
  run: runHost,
})

export const link = command({
  name: 'link',
  about: 'Print a fresh link to the window of the running Acuse; it works once, within ten minutes.',
  json: 'print {"url": …}',
  examples: [
    ['acuse link', 'print a link for the browser'],
    ['acuse link --data ./data', 'of the Acuse that runs on that folder'],
  ],
  run: (_, cli) =>
    cli.running(async ({ call }) => {
      const { url } = await call('ui.link', {})
      await cli.print({ url }, `${url}\n`)
    }),
})

/** @returns the folder of the built window: out/renderer of this file's project, whether this file is built or not */
export function rendererDir(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder)
  return join(folder, 'out', 'renderer')
}

async function runHost(options: ServeOptions, cli: Cli): Promise<void> {
  const { terminal } = cli
  const secret = secretFrom(options, terminal)
  const tls = tlsFrom(options)
  const starting: Starting = {
    receiver: {
      enabled: true,
      ...defined({ host: options.receiverHost, port: options.receiverPort, tls: tls ?? undefined }),
    },
    resumeSandbox: !options.sandbox,
    beforeListening: async (engine) => {
      if (secret) await demandSecret(engine, secret)
    },
  }
  await runServing(options, cli, starting, async ({ host, status, ui, metrics, folder }) => {
    const receiver = status.receiver.state === 'listening' ? status.receiver.url : null
    const sandbox = options.sandbox ? await startSandbox(host.sandbox, options, terminal) : null
    await cli.print(
      { receiver, ui, sandbox, metrics, data: folder },
      readyText(receiver, ui, sandbox, metrics, folder),
    )
  })
}

type Starting = Pick<HostOptions, 'receiver'> & Partial<HostOptions>
interface Served {
  readonly host: Host
  readonly status: HostStatus
  /** A link to the window; null when it is not served. */
  readonly ui: string | null
  /** Where the metrics have a port of their own. */
  readonly metrics: string | null
  readonly folder: string
}

/**
 * Runs a host in plain Node with its window until a stop signal. A taken port is only reported. @param told tells the user that it runs
 * @throws AcuseError when the data folder cannot be used
 */
export async function runServing(
  options: Values<typeof WINDOW_OPTIONS & typeof OPEN_OPTION>,
  cli: Cli,
  starting: Starting,
  told: (served: Served) => Promise<void>,
): Promise<void> {
  const { terminal } = cli
  const stop = stopSignal(terminal.say)
  const folder = dataDir(cli.folder)
  let window: BrowserHost | undefined
  // Imported here, since other commands need neither Express nor the store's threads.
  const { hostHere, PLAIN_NODE } = await import('../shared/here.ts')
  const host = await hostHere(folder, terminal, {
    capabilities: { ...PLAIN_NODE, uiLinks: !options.noUi },
    uiLink: () => {
      if (!window) throw new AcuseError('not-available', 'The window is not being served.')
      return window.link()
    },
    swept: newsTeller(terminal.say),
    load: async () => options.noUi || browserHost(),
    ...starting,
  })
  const { engine } = host
  try {
    if (!options.noUi) window = await startWindow(engine, options, terminal)
    const probes = await startProbes(engine, options, terminal)
    const local = await serveCommands(engine, folder, terminal)
    const status = await settledStatus(engine)
    const stopReporting = reportStatus(engine, status, terminal.say)
    const ui = window?.link() ?? null
    await told({ host, status, ui, metrics: probes?.url ?? null, folder })
    if (options.open && ui !== null) openInBrowser(ui, terminal.say)
    await stop
    stopReporting()
    await Promise.all([local?.close(), window?.close(), probes?.close()])
  } finally {
    await host.close()
  }
}

const browserHost = () => import('../../browser/server.ts')

/** @returns undefined when the window cannot be served; the receiver must run all the same */
async function startWindow(
  engine: Engine,
  { uiPort: port, origin = [] }: Pick<ServeOptions, 'uiPort' | 'origin'>,
  terminal: Terminal,
) {
  const { createBrowserHost } = await browserHost()
  const window = createBrowserHost({ engine, rendererDir: rendererDir(), port, publicOrigins: origin })
  try {
    const started = await window.start()
    if (port !== 0 && started.port !== port)
      terminal.say(`Port ${port} is taken, so the window is on port ${started.port}.`)
    return window
  } catch (error) {
    terminal.say(`The window cannot be served: ${messageOf(error)}`)
    return undefined
  }
}

/** @returns undefined without --metrics-port, or when it cannot be served; the receiver must run all the same */
export async function startProbes(
  engine: Pick<Engine, 'call'>,
  { metricsPort, metricsHost }: Pick<ServeOptions, 'metricsPort' | 'metricsHost'>,
  terminal: Terminal,
) {
  if (metricsPort === undefined) return undefined
  const { serveProbes } = await import('../../browser/probes.ts')
  try {
    return await serveProbes(
      engine,
      metricsHost ?? '127.0.0.1',
      metricsPort,
      terminal.env.ACUSE_METRICS_TOKEN,
    )
  } catch (error) {
    terminal.say(`The metrics cannot be served: ${messageOf(error)}`)
    return undefined
  }
}

/** @returns null when the sandbox cannot start; the receiver must run all the same */
async function startSandbox(
  runner: SandboxRunner | null,
  { sandboxPort }: ServeOptions,
  terminal: Terminal,
): Promise<SandboxReady | null> {
  try {
    return (await runner?.startForThisRun(sandboxPort)) ?? null
  } catch (error) {
    terminal.say(`The sandbox cannot be started: ${messageOf(error)}`)
    return null
  }
}

/** Relative file names start at the command's current folder. */
export function tlsFrom({ tlsCert, tlsKey, tlsGenerated }: Values<typeof TLS_OPTIONS>): ReceiverTls | null {
  if (tlsGenerated) return { certificate: 'generated' }
  return tlsCert === undefined || tlsKey === undefined
    ? null
    : { certificate: resolve(tlsCert), key: resolve(tlsKey) }
}

/** Takes only the header's name from the command line: every user of the machine can read a process's arguments. */
function secretFrom({ secretHeader }: ServeOptions, { env }: Terminal) {
  if (secretHeader === undefined) return null
  if (!env.ACUSE_SECRET)
    throw wrongUsage('--secret-header takes its value from the environment: set ACUSE_SECRET as well.')
  return { header: secretHeader, value: env.ACUSE_SECRET }
}

type Secret = NonNullable<ReturnType<typeof secretFrom>>

async function demandSecret(engine: Engine, { header, value }: Secret): Promise<void> {
  const { endpoints } = await engine.call('settings.get', {})
  const name = endpoints.find((endpoint) => endpoint.path === '/')?.name
  await engine.dispatch('endpoints.set-secret', { name, header, value, keepPrevious: false })
}

function readyText(
  receiver: string | null,
  ui: string | null,
  sandbox: SandboxReady | null,
  metrics: string | null,
  folder: string,
) {
  const lines = [
    `Receiver  ${receiver ?? 'not listening (see above)'}`,
    `Window    ${ui ?? 'not served'}`,
    ...(sandbox ? [`Sandbox   ${sandbox.sandbox} (API key ${sandbox.apiKey})`] : []),
    ...(metrics === null ? [] : [`Metrics   ${metrics}metrics`]),
    `Data      ${folder}`,
  ]
  return `${lines.join('\n')}\n`
}
