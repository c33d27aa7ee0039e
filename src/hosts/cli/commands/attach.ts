import { attachTo, readStartLink } from '../../remote.ts'
import { argument, command, flag, preset } from '../shared/command.ts'
import { openInBrowser } from '../shared/open-browser.ts'
import { stdinValue, stopSignal, VERSION } from '../shared/terminal.ts'
import { port, rendererDir } from './serve.ts'

const PORT = 4403
const PASTE = 'Reading the link from stdin; after pasting it, press Enter and Ctrl+D.'

export const attach = command({
  name: 'attach',
  about:
    'Show the window of an Acuse that runs elsewhere: a window on this machine, the data and the receiver of the other one.',
  args: {
    url: argument(
      '[url]',
      'the link that "acuse link" prints there. With an address alone, or nothing, the link comes from stdin: an address replaces that of the link',
    ),
  },
  options: {
    port: preset('<n>', 'port of the window here; 0 takes a free one', port, PORT),
    noOpen: flag('print the link of the window and open no browser'),
  },
  json: 'print one JSON line when ready: {"attachedTo","ui"}',
  examples: [
    ['ssh box acuse link | acuse attach http://127.0.0.1:4401', 'through ssh -L 4401:127.0.0.1:4401 box'],
    ['ssh box acuse link | acuse attach', 'the other Acuse was started with --origin https://…'],
    ['acuse attach "https://acuse.example.com/#token=…"', 'a link that you copied'],
  ],
  note: 'It runs until Ctrl+C. Both sides must be of one version. The session ends with either of them; memory alone holds its key.',
  folder: null,
  async run({ url, port: wanted, noOpen }, cli) {
    const { terminal } = cli
    const given = url?.includes('#') === true
    // Every user of the machine can read a process's arguments. The token in them is used up in a moment.
    if (given) process.title = 'acuse attach'
    const link = given ? readStartLink(url) : readStartLink(await stdinValue(terminal, PASTE), url)
    const stop = stopSignal(terminal.say)
    const remote = await attachTo(link, VERSION)
    const { createBrowserHost } = await import('../../browser/server.ts')
    const window = createBrowserHost({ engine: remote, rendererDir: rendererDir(), port: wanted })
    await window.start()
    const ui = window.link()
    await cli.print(
      { attachedTo: remote.origin, ui },
      `Window    ${ui}\nData      at ${remote.origin}; this machine stores none\n`,
    )
    if (!noOpen) openInBrowser(ui, terminal.say)
    await stop
    await window.close()
  },
})
