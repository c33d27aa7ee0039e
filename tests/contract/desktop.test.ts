import type { Push } from '#contract/pushes.ts'
import { callInPage, openDesktop } from '../support/desktop.ts'
import { contractSuite } from './suite.ts'

/** Through all of it: the page, the preload script, IPC, the main process of the built app. */
contractSuite('the desktop app', async () => {
  const { page, receiverUrl, close } = await openDesktop()
  return {
    receiverUrl,
    async dispatch(command, params) {
      const answered = (await callInPage(page, command, params)) as
        | { readonly ok: true; readonly result: unknown }
        | { readonly ok: false; readonly refusal: unknown }
      if (answered.ok) return answered.result
      throw answered.refusal
    },
    async subscribe(listener) {
      // The page has been listening since it opened: what the suite sees begins where it joins, and must have no gaps from there.
      let before: number | undefined
      await page.exposeFunction('takePush', (push: Push) => {
        before ??= push.seq - 1
        listener({ ...push, seq: push.seq - before })
      })
      await page.evaluate(() => {
        const { acuse, takePush } = window as unknown as {
          acuse: { onPush(listener: (push: unknown) => void): void }
          takePush(push: unknown): void
        }
        acuse.onPush((push) => takePush(push))
      })
    },
    close,
  }
})
