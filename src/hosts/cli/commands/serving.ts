import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { AcuseError, messageOf } from '#contract/errors.ts'
import type { ReceiverTls } from '#contract/settings.ts'
import type { Engine } from '#core/engine/engine.ts'
import { type BrowserHost, createBrowserHost } from '../../browser/server.ts'
import { dataDir } from '../../data-dir.ts'
import type { SandboxRunner } from '../../sandbox-runner.ts'
import type { SandboxReady } from '../../sandbox-word.ts'
import type { Cli } from '../shared/command.ts'
import { wrongUsage } from '../shared/failures.ts'
import { hostHere } from '../shared/here.ts'
import { openInBrowser } from '../shared/open-browser.ts'
import { reportStatus, serveCommands, settledStatus } from '../shared/status-talk.ts'
import { stopSignal, type Terminal } from '../shared/terminal.ts'
import { newsTeller } from './schedule.ts'

/** The built window: out/renderer of the project that this file, built or not, belongs to. */
export function rendererDir(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder)
  return join(folder, 'out', 'renderer')
}

interface ServeOptions {
  readonly receiverPort: number | undefined
  readonly receiverHost: string | undefined
  readonly tlsCert: string | undefined
  readonly tlsKey: string | undefined
  readonly tlsGenerated: boolean
  readonly uiPort: number
  readonly noUi: boolean
  readonly secretHeader: string | undefined
  readonly sandbox: boolean
  readonly sandboxPort: number
  readonly open: boolean
}

/**
 * Runs the plain-Node host: store, receiver, window and local socket, until a signal asks it to stop.
 * @throws AcuseError when the data folder cannot be used; a receiver or a window without its port is only a sentence
 */
export async function runHost(options: ServeOptions, cli: Cli): Promise<void> {
  const { terminal } = cli
  const stop = stopSignal(terminal.say)
  const folder = dataDir(cli.folder)
  const secret = secretFrom(options, terminal)
  const tls = tlsFrom(options)
  let window: BrowserHost | undefined
  const host = await hostHere(folder, terminal, {
    capabilities: {
      osSecretStore: false,
      weakSecretStore: false,
      nativeWindow: false,
      uiLinks: !options.noUi,
    },
    receiver: {
      enabled: true,
      ...(options.receiverHost === undefined ? {} : { host: options.receiverHost }),
      ...(options.receiverPort === undefined ? {} : { port: options.receiverPort }),
      ...(tls === null ? {} : { tls }),
    },
    resumeSandbox: !options.sandbox,
    uiLink: () => {
      if (!window) throw new AcuseError('not-available', 'The window is not being served.')
      return window.link()
    },
    swept: newsTeller(terminal.say),
    beforeListening: async (engine) => {
      if (secret) await demandSecret(engine, secret)
    },
  })
  const { engine } = host
  try {
    if (!options.noUi) window = await startWindow(engine, options.uiPort, terminal)
    const local = await serveCommands(engine, folder, terminal)
    const status = await settledStatus(engine)
    const stopReporting = reportStatus(engine, status, terminal.say)
    const receiver = status.receiver.state === 'listening' ? status.receiver.url : null
    const sandbox = options.sandbox ? await sandboxBeside(host.sandbox, options, terminal) : null
    const ui = window?.link() ?? null
    await cli.print({ receiver, ui, sandbox, data: folder }, readyText(receiver, ui, sandbox, folder))
    if (options.open && ui !== null) openInBrowser(ui, terminal.say)
    await stop
    stopReporting()
    // First: what it still sends is to reach the receiver.
    await host.sandbox?.close()
    await Promise.all([engine.call('receiver.stop', {}), local?.close(), window?.close()])
  } finally {
    await host.close()
  }
}

/** @returns undefined when the window cannot be served; receiving is what must not fail */
async function startWindow(
  engine: Engine,
  port: number,
  terminal: Terminal,
): Promise<BrowserHost | undefined> {
  const window = createBrowserHost({ engine, rendererDir: rendererDir(), port })
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

/** @returns null when it cannot be had; receiving is what must not fail */
async function sandboxBeside(
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

/** The file names are of the folder in which the command was typed. */
function tlsFrom({ tlsCert, tlsKey, tlsGenerated }: ServeOptions): ReceiverTls | null {
  if (tlsGenerated && (tlsCert !== undefined || tlsKey !== undefined))
    throw wrongUsage('Give either --tls-generated, or --tls-cert with --tls-key.')
  if (tlsGenerated) return { certificate: 'generated' }
  if (tlsCert === undefined && tlsKey === undefined) return null
  if (tlsCert === undefined || tlsKey === undefined)
    throw wrongUsage('--tls-cert and --tls-key go together: the certificate and its key, both as PEM files.')
  return { certificate: resolve(tlsCert), key: resolve(tlsKey) }
}

interface Secret {
  readonly header: string
  readonly value: string
}

/** On the command line a value could be read by every user of the machine, so only the header's name stands there. */
function secretFrom({ secretHeader }: ServeOptions, { env }: Terminal): Secret | null {
  if (secretHeader === undefined) return null
  if (!env.ACUSE_SECRET)
    throw wrongUsage('--secret-header takes its value from the environment: set ACUSE_SECRET as well.')
  return { header: secretHeader, value: env.ACUSE_SECRET }
}

async function demandSecret(engine: Engine, { header, value }: Secret): Promise<void> {
  const { endpoints } = await engine.call('settings.get', {})
  const name = endpoints.find((endpoint) => endpoint.path === '/')?.name
  await engine.dispatch('endpoints.set-secret', { name, header, value, keepPrevious: false })
}

function readyText(
  receiver: string | null,
  ui: string | null,
  sandbox: SandboxReady | null,
  folder: string,
): string {
  const lines = [
    `Receiver  ${receiver ?? 'not listening (see above)'}`,
    `Window    ${ui ?? 'not served'}`,
    ...(sandbox ? [`Sandbox   ${sandbox.sandbox} (API key ${sandbox.apiKey})`] : []),
    `Data      ${folder}`,
  ]
  return `${lines.join('\n')}\n`
}
