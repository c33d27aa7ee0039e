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
        // Which payload belongs to which name is lost when the two are taken apart, and restored here.
        listener({ seq, push, payload } as Parameters<typeof listener>[0])
      })
    },
    close,
  }
})
