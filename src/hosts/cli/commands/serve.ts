import { z } from 'zod'
import { SANDBOX_PORT } from '../../sandbox-word.ts'
import { command, flag, option, preset } from '../shared/command.ts'

export const port = z.int().min(0).max(65_535)
const UI_PORT = 4401

export const serve = command({
  name: 'serve',
  about: 'Receive deliveries and serve the window to a browser on this machine.',
  options: {
    receiverPort: option('<n>', 'port of the receiver for this run; 0 takes a free one', port),
    receiverHost: option('<address>', 'address of the receiver for this run'),
    tlsCert: option('<file>', 'the receiver speaks HTTPS with this certificate (PEM), for this run'),
    tlsKey: option('<file>', 'the key of that certificate (PEM, without a passphrase)'),
    tlsGenerated: flag('the receiver speaks HTTPS with a certificate that Acuse makes'),
    uiPort: preset('<n>', 'port of the window; 0 takes a free one', port, UI_PORT),
    noUi: flag('serve no window'),
    secretHeader: option(
      '<name>',
      'the default endpoint demands this header, with the value of ACUSE_SECRET',
    ),
    sandbox: flag('run the sandbox beside it, subscribed to the receiver with all 28 kinds'),
    sandboxPort: preset('<n>', 'port of the sandbox; 0 takes a free one', port, SANDBOX_PORT),
    open: flag('open the window in the default browser'),
  },
  json: 'print one JSON line when ready: {"receiver","ui","sandbox","data"}',
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
    ['acuse serve --sandbox', 'and a simulated service that sends to it'],
    ['ACUSE_SECRET=… acuse serve --secret-header X-Acuse-Key', 'answer 401 to deliveries without the secret'],
  ],
  async run(given, cli) {
    // Loaded only now: the other commands need neither Express nor the store's threads.
    const { runHost } = await import('./serving.ts')
    await runHost(given, cli)
  },
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
