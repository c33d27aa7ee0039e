import type { Command } from 'commander'
import { AcuseError } from '#contract/errors.ts'
import type { Engine } from '#core/engine.ts'
import { assemble } from '../../assemble.ts'
import { type BrowserHost, createBrowserHost } from '../../browser/server.ts'
import { dataDir } from '../../data-dir.ts'
import { serveLocal } from '../../local/server.ts'
import { openSecrets } from '../../secrets-file.ts'
import type { CommandContext } from '../context.ts'
import { wrongUsage } from '../failures.ts'
import { openInBrowser } from '../open-browser.ts'
import { type CommonOptions, examples, portNumber, withCommon } from '../options.ts'
import { rendererDir } from '../renderer-dir.ts'
import { reportStatus, settledStatus } from '../status-talk.ts'
import { stopSignal } from '../stop-signal.ts'
import type { Terminal } from '../terminal.ts'
import { VERSION } from '../version.ts'

interface ServeOptions extends CommonOptions {
  readonly receiverPort?: number
  readonly receiverHost?: string
  readonly uiPort: number
  readonly ui: boolean
  readonly secretHeader?: string
  readonly open?: boolean
}

const UI_PORT = 4401

/** `acuse serve`: receives, and serves the window to browsers on this machine, until it is told to stop. */
export function addServe(program: Command, { terminal }: CommandContext): void {
  const serve = program
    .command('serve')
    .description('Receive deliveries and serve the window to a browser on this machine.')
    .option('--receiver-port <n>', 'port of the receiver for this run; 0 takes a free one', portNumber)
    .option('--receiver-host <address>', 'address of the receiver for this run')
    .option('--ui-port <n>', 'port of the window; 0 takes a free one', portNumber, UI_PORT)
    .option('--no-ui', 'serve no window')
    .option(
      '--secret-header <name>',
      'the default endpoint demands this header, with the value of ACUSE_SECRET',
    )
    .option('--open', 'open the window in the default browser')
  examples(withCommon(serve, 'print one JSON line when ready: {"receiver","ui","sandbox","data"}'), [
    ['acuse serve', 'receive on port 4400, window on port 4401'],
    [
      'acuse serve --receiver-port 0 --ui-port 0 --data ./data --json',
      'for a script: free ports, a folder of its own',
    ],
    ['ACUSE_SECRET=… acuse serve --secret-header X-Acuse-Key', 'answer 401 to deliveries without the secret'],
  ]).action((options: ServeOptions) => run(options, terminal))
}

async function run(options: ServeOptions, terminal: Terminal): Promise<void> {
  const stop = stopSignal(terminal.say)
  const folder = dataDir(options.data)
  const secret = secretFrom(options, terminal)
  let window: BrowserHost | undefined
  const host = await assemble({
    dataDir: folder,
    workers: (await import('../../workers.ts')).storeWorkers,
    secrets: await openSecrets(folder),
    capabilities: { osSecretStore: false, weakSecretStore: false, nativeWindow: false, uiLinks: options.ui },
    version: VERSION,
    receiver: {
      enabled: true,
      ...(options.receiverHost === undefined ? {} : { host: options.receiverHost }),
      ...(options.receiverPort === undefined ? {} : { port: options.receiverPort }),
    },
    uiLink: () => {
      if (!window) throw new AcuseError('not-available', 'The window is not being served.')
      return window.link()
    },
    warn: terminal.say,
    beforeListening: async (engine) => {
      if (secret) await demandSecret(engine, secret)
    },
  })
  const { engine } = host
  try {
    if (options.ui) window = await startWindow(engine, options.uiPort, terminal)
    const local = await serveLocal({ engine, dataDir: folder }).catch((error: unknown) => {
      terminal.say(
        `Commands cannot reach this Acuse: ${error instanceof Error ? error.message : String(error)}`,
      )
    })
    const status = await settledStatus(engine)
    const stopReporting = reportStatus(engine, status, terminal.say)
    const receiver = status.receiver.state === 'listening' ? status.receiver.url : null
    const ui = window?.link() ?? null
    await terminal.print(
      options.json
        ? `${JSON.stringify({ receiver, ui, sandbox: null, data: folder })}\n`
        : readyText(receiver, ui, folder),
    )
    if (options.open && ui !== null) openInBrowser(ui, terminal.say)
    await stop
    stopReporting()
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
    terminal.say(`The window cannot be served: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
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

function readyText(receiver: string | null, ui: string | null, folder: string): string {
  const lines = [
    `Receiver  ${receiver ?? 'not listening (see above)'}`,
    `Window    ${ui ?? 'not served'}`,
    `Data      ${folder}`,
  ]
  return `${lines.join('\n')}\n`
}
