import { once } from 'node:events'
import WebSocket from 'ws'
import { type BrowserHost, createBrowserHost } from '#hosts/browser/server.ts'
import { assembled } from '../support/assembled.ts'
import { fetchAs, openLink } from '../support/browser-session.ts'
import { sharedFolder } from '../support/temp-folder.ts'
import { windowFolder } from '../support/window-folder.ts'
import { contractSuite } from './suite.ts'

const folder = windowFolder(sharedFolder())

contractSuite('HTTP and a WebSocket', async () => {
  let browser: BrowserHost | undefined
  const { host, receiverUrl, close } = await assembled({
    capabilities: { osSecretStore: false, weakSecretStore: false, nativeWindow: false, uiLinks: true },
    uiLink: () => browser?.link() ?? '',
  })
  browser = createBrowserHost({ engine: host.engine, rendererDir: folder, port: 0 })
  await browser.start()
  const { key, origin, headers: session } = await openLink(browser.link())
  const headers = { ...session, 'Content-Type': 'application/json' }
  return {
    receiverUrl,
    async dispatch(command, params) {
      // Encoded as in a browser's URL, so that "../x" cannot reach another path.
      const url = new URL(`/api/${encodeURIComponent(command)}`, origin).href
      const { status, body } = await fetchAs(url, { method: 'POST', headers, body: JSON.stringify(params) })
      if (status === 200) return JSON.parse(body)
      throw body.startsWith('{') ? JSON.parse(body) : { code: 'not-found', message: body }
    },
    async subscribe(listener) {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/pushes`, ['acuse', key], {
        headers: { Origin: origin },
      })
      socket.on('message', (data) => listener(JSON.parse(String(data))))
      await once(socket, 'open')
    },
    async close() {
      await browser?.close()
      await close()
    },
  }
})
