import { connectLocal } from '#hosts/local/client.ts'
import { serveLocal } from '#hosts/local/server.ts'
import { assembled } from '../support/assembled.ts'
import { contractSuite } from './suite.ts'

contractSuite('the local socket', async () => {
  const { host, receiverUrl, close } = await assembled()
  const server = await serveLocal({ engine: host.engine, dataDir: host.dataDir })
  const client = await connectLocal(host.dataDir)
  if (!client) throw new Error('nobody listens')
  return {
    receiverUrl,
    dispatch: client.dispatch,
    subscribe: client.subscribe,
    async close() {
      await client.close()
      await server.close()
      await close()
    },
  }
})
