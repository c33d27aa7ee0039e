import { AcuseError } from '#contract/errors.ts'
import type { BrowserHost } from '../../browser/server.ts'
import { dataDir } from '../../data-dir.ts'
import { argument, command, flag, preset } from '../shared/command.ts'
import { openInBrowser } from '../shared/open-browser.ts'
import { serveCommands } from '../shared/status-talk.ts'
import { stopSignal } from '../shared/terminal.ts'
import { visible } from '../shared/text.ts'
import { port, rendererDir, UI_PORT } from './serve.ts'

export const open = command({
  name: 'open',
  about: 'Open a session file in the window, read-only: nothing receives, sends or changes it.',
  args: { file: argument('<file>', 'what "acuse export --format session" wrote') },
  options: {
    uiPort: preset('<n>', 'port of the window; 0 takes a free one', port, UI_PORT),
    noOpen: flag('print the link of the window instead of opening it in the browser'),
  },
  json: 'print one JSON line when ready: {"file","ui","data"}',
  examples: [
    ['acuse open monday.acuse', 'look at what a colleague sent'],
    ['acuse events --data monday.acuse --filter verdict:invalid', 'commands that read take the file too'],
    ['acuse import monday.acuse', 'take its deliveries into the own store'],
  ],
  note: 'Changing commands are refused. The window works on a temporary copy, which is removed at the end.',
  async run({ file, uiPort, noOpen }, { folder, terminal, print }) {
    const stop = stopSignal(terminal.say)
    // Imported here, since other commands need neither Express nor the store's threads.
    const { PLAIN_NODE, sessionHere } = await import('../shared/here.ts')
    const { createBrowserHost } = await import('../../browser/server.ts')
    let window: BrowserHost | undefined
    const host = await sessionHere(file, dataDir(folder), terminal, {
      capabilities: { ...PLAIN_NODE, uiLinks: true },
      uiLink: () => {
        if (!window) throw new AcuseError('not-available', 'The window is not being served.')
        return window.link()
      },
    })
    try {
      const { engine, dataDir: copy } = host
      window = createBrowserHost({ engine, rendererDir: rendererDir(), port: uiPort })
      await window.start()
      const local = await serveCommands(engine, copy, terminal)
      const ui = window.link()
      const how = noOpen ? 'Open the link in a browser of this machine.' : 'The window opens in the browser.'
      await print(
        { file, ui, data: copy },
        `Session   ${visible(file)} (read-only)\nWindow    ${ui}\nData      ${copy} (until Acuse ends)\n${how}\n`,
      )
      if (!noOpen) openInBrowser(ui, terminal.say)
      await stop
      await Promise.all([local?.close(), window.close()])
    } finally {
      await host.close()
    }
  },
})
