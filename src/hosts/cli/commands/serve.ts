import type { Command } from 'commander'
import { SANDBOX_PORT } from '../../sandbox-word.ts'
import { examples, portNumber, withCommon } from '../shared/options.ts'
import type { CommandContext } from '../shared/terminal.ts'
import type { ServeOptions } from './serving.ts'

const UI_PORT = 4401

/** `acuse serve`: receives, and serves the window to browsers on this machine, until it is told to stop. */
export function addServe(program: Command, { terminal }: CommandContext): void {
  const serve = program
    .command('serve')
    .description('Receive deliveries and serve the window to a browser on this machine.')
    .option('--receiver-port <n>', 'port of the receiver for this run; 0 takes a free one', portNumber)
    .option('--receiver-host <address>', 'address of the receiver for this run')
    .option('--tls-cert <file>', 'the receiver speaks HTTPS with this certificate (PEM), for this run')
    .option('--tls-key <file>', 'the key of that certificate (PEM, without a passphrase)')
    .option('--tls-generated', 'the receiver speaks HTTPS with a certificate that Acuse makes')
    .option('--ui-port <n>', 'port of the window; 0 takes a free one', portNumber, UI_PORT)
    .option('--no-ui', 'serve no window')
    .option(
      '--secret-header <name>',
      'the default endpoint demands this header, with the value of ACUSE_SECRET',
    )
    .option('--sandbox', 'run the sandbox beside it, subscribed to the receiver with all 28 kinds')
    .option('--sandbox-port <n>', 'port of the sandbox; 0 takes a free one', portNumber, SANDBOX_PORT)
    .option('--open', 'open the window in the default browser')
  examples(withCommon(serve, 'print one JSON line when ready: {"receiver","ui","sandbox","data"}'), [
    ['acuse serve', 'receive on port 4400, window on port 4401'],
    [
      'acuse serve --receiver-port 0 --ui-port 0 --data ./data --json',
      'for a script: free ports, a folder of its own',
    ],
    [
      'acuse serve --receiver-host 0.0.0.0 --tls-cert chain.pem --tls-key key.pem',
      'receive over HTTPS, from other machines too',
    ],
    ['acuse serve --sandbox', 'and a simulated service that sends to it'],
    ['ACUSE_SECRET=… acuse serve --secret-header X-Acuse-Key', 'answer 401 to deliveries without the secret'],
  ]).action(async (options: ServeOptions) => {
    // Loaded only now: the other commands need neither Express nor the store's threads.
    const { runHost } = await import('./serving.ts')
    await runHost(options, terminal)
  })
}
