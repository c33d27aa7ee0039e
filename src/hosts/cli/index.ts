#!/usr/bin/env node
// Import only modules that an old Node can load: others would fail there with an obscure error before ours.
import { MINIMUM_NODE, runPinned } from './pinned-node.ts'

// Without a listener Node opens its inspector on this signal, and every user of the machine could connect to it.
process.on('SIGUSR1', () => {})

if (Number.parseInt(process.versions.node, 10) < MINIMUM_NODE) await runPinned(process.argv.slice(1))
else {
  const { main } = await import('./main.ts')
  process.exit(await main(process.argv.slice(2)))
}
