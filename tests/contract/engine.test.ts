import { assembled } from '../support/assembled.ts'
import { contractSuite } from './suite.ts'

contractSuite('the engine itself', async () => {
  const { host, receiverUrl, close } = await assembled()
  return {
    receiverUrl,
    dispatch: (command, params) => host.engine.dispatch(command, params),
    async subscribe(listener) {
      let seq = 0
      host.engine.subscribe((push, payload) => {
        seq += 1
        // Destructuring loses the pairing of name and payload, so the cast restores it.
        listener({ seq, push, payload } as Parameters<typeof listener>[0])
      })
    },
    close,
  }
})
