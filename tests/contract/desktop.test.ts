import type { Push } from '#contract/pushes.ts'
import { callInPage, openDesktop } from '../support/desktop.ts'
import { contractSuite } from './suite.ts'

/** Through page, preload script, IPC and main process of the built app. */
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
      // The page listens since it opened. The suite joins later, and sees no gaps from then on.
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
