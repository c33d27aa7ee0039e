import { openSecrets } from '#hosts/secrets-file.ts'
import { assembled } from '../../../support/assembled.ts'

/** Starts a sweep of the connection "main" in the data folder given, and says how many pages it has; made to be killed. */
const [dataDir = '', range = ''] = process.argv.slice(2)
const secrets = await openSecrets(dataDir)
const { host } = await assembled({ dataDir, secrets, receiver: { enabled: false } })
const { id } = await host.engine.call('sweeps.start', { connection: 'main', range: JSON.parse(range) })
for (;;) {
  const { pages } = await host.engine.call('sweeps.get', { id })
  process.stdout.write(`${id} ${pages}\n`)
  await new Promise((resolve) => setTimeout(resolve, 2))
}
