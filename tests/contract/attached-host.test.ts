import { type BrowserHost, createBrowserHost } from '#hosts/browser/server.ts'
import { attachTo, readStartLink } from '#hosts/remote.ts'
import { assembled } from '../support/assembled.ts'
import { sharedFolder } from '../support/temp-folder.ts'
import { windowFolder } from '../support/window-folder.ts'
import { contractSuite } from './suite.ts'

const rendererDir = windowFolder(sharedFolder())

contractSuite('HTTP and a WebSocket, as an attached host', async () => {
  let browser: BrowserHost | undefined
  const { host, receiverUrl, close } = await assembled({
    capabilities: { osSecretStore: false, weakSecretStore: false, nativeWindow: false, uiLinks: true },
    uiLink: () => browser?.link() ?? '',
  })
  browser = createBrowserHost({ engine: host.engine, rendererDir, port: 0 })
  await browser.start()
  const { version } = await host.engine.call('app.info', {})
  const remote = await attachTo(readStartLink(browser.link()), version)
  const pushes = remote.keepPushes()
  return {
    receiverUrl,
    dispatch: remote.dispatch,
    async subscribe(listener) {
      pushes.onPush(listener)
      await new Promise<void>((resolve) => pushes.onConnection((state) => state === 'open' && resolve()))
    },
    async close() {
      pushes.close()
      await browser?.close()
      await close()
    },
  }
})
